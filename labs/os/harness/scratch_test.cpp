#include <assay/os/harness/scratch.hpp>

#include <gtest/gtest.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include <assay/testing/temporary_folder.hpp>

namespace assay::os {
namespace {

namespace fs = std::filesystem;

bool bare(const fs::path& folder) {
  return fs::directory_iterator(folder) == fs::directory_iterator();
}

class ScratchTest : public testing::Test {
 protected:
  TemporaryFolder folder_;
  const std::string dir_ = folder_.path().string();
};

TEST_F(ScratchTest, LeavesNothing) {
  std::string memory;
  {
    const auto scratch = Scratch::make(dir_);
    ASSERT_TRUE(scratch) << scratch.error().line();
    memory = scratch->memory_folder();
    EXPECT_TRUE(fs::is_directory(memory));
    EXPECT_TRUE(memory.starts_with(dir_)) << "--dir holds all files";
    std::ofstream(scratch->disk_folder() + "/left") << "x";
  }
  EXPECT_TRUE(bare(dir_));
  EXPECT_FALSE(fs::exists(memory));
}

TEST_F(ScratchTest, MakesWhatTokensName) {
  const auto scratch = Scratch::make(dir_);
  ASSERT_TRUE(scratch);
  EXPECT_EQ(fs::file_size(scratch->resolve("@tmp").value_or("")), 10U << 20U);
  EXPECT_EQ(fs::file_size(scratch->resolve("@disk").value_or("")), 10U << 20U);
  EXPECT_EQ(fs::file_size(scratch->resolve("@tmp.empty").value_or("")), 0U);
  const std::string deep = scratch->resolve("@disk.dir1").value_or("");
  EXPECT_TRUE(fs::is_directory(deep)) << deep;
  EXPECT_TRUE(deep.ends_with("dir1/0/1/2/3/4/5/6/7/8/9"));
  EXPECT_FALSE(scratch->resolve("@elsewhere"));
  EXPECT_FALSE(scratch->resolve("@tmp.other"));
}

TEST_F(ScratchTest, TheNextOneRemovesWhatAKilledOneLeft) {
  int key_pipe[2];
  ASSERT_EQ(pipe(key_pipe), 0);
  const pid_t child = fork();
  if (child == 0) {
    const auto scratch = Scratch::make(dir_);
    const int id = make_semaphores(scratch->disk_folder(), 2).value_or(-1);
    if (write(key_pipe[1], &id, sizeof id) < 0) _exit(1);
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  int id = -1;
  ASSERT_EQ(read(key_pipe[0], &id, sizeof id), static_cast<ssize_t>(sizeof id));
  ASSERT_GE(id, 0);
  EXPECT_FALSE(bare(dir_)) << "nothing was left: this tests nothing";
  EXPECT_EQ(semctl(id, 0, GETVAL), 0);
  { const auto next = Scratch::make(dir_); }
  EXPECT_TRUE(bare(dir_));
  EXPECT_EQ(semctl(id, 0, GETVAL), -1) << "the semaphores are still there";
  close(key_pipe[0]);
  close(key_pipe[1]);
}

TEST_F(ScratchTest, OneThatLivesIsLeftAlone) {
  const auto first = Scratch::make(dir_);
  ASSERT_TRUE(first);
  { const auto second = Scratch::make(dir_); }
  EXPECT_TRUE(fs::is_directory(first->disk_folder()));
  EXPECT_TRUE(fs::is_directory(first->memory_folder()));
}

TEST_F(ScratchTest, SemaphoresAreRemoved) {
  const auto id = make_semaphores(dir_, 2);
  ASSERT_TRUE(id) << id.error().line();
  EXPECT_FALSE(bare(dir_));
  remove_semaphores(dir_, *id);
  EXPECT_EQ(semctl(*id, 0, GETVAL), -1);
  EXPECT_TRUE(bare(dir_));
}

TEST_F(ScratchTest, NoPlace) {
  const auto scratch = Scratch::make(dir_ + "/none");
  ASSERT_FALSE(scratch);
  EXPECT_NE(scratch.error().line().find(dir_ + "/none"), std::string::npos);
}

}  // namespace
}  // namespace assay::os
