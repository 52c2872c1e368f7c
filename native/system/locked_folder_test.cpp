#include <assay/system/locked_folder.hpp>
#include <assay/testing/nothing_opens.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <cerrno>
#include <filesystem>

namespace assay {
namespace {

TEST(LockedFolder, IsNewAndNobodyElseCanLockIt) {
  const TemporaryFolder place;
  const auto made = make_locked_folder(place.path(), "assay-test-", "");
  ASSERT_TRUE(made) << made.error().line();
  EXPECT_TRUE(std::filesystem::is_empty(made->path));
  EXPECT_TRUE(made->path.filename().string().starts_with("assay-test-"));
  const FileDescriptor other(open(made->path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_TRUE(other);
  EXPECT_EQ(flock(other.number(), LOCK_EX | LOCK_NB), -1);
}

TEST(LockedFolder, IsNotLeftWhereItCannotBeLocked) {
  const TemporaryFolder place;
  int code = 0;
  {
    const NothingOpens limit;
    const auto made = make_locked_folder(place.path(), "assay-test-", "");
    if (!made) code = made.error().errno_value;
  }
  EXPECT_EQ(code, EMFILE);
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(LockedFolder, SaysWhyItCannotBeMade) {
  const TemporaryFolder place;
  const auto made = make_locked_folder(place.path() / "gone", "assay-test-", "make it first");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().line(), (place.path() / "gone").string() +
                                     ": cannot make a folder in it: No such file or directory "
                                     "(make it first)");
}

}  // namespace
}  // namespace assay
