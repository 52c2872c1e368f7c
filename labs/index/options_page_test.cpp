#include <assay/index/options_page.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

namespace assay::index {
namespace {

/// Options of a fork of PiBench, which have one member more.
struct LongerOptions {
  tree_options_t known;
  void* data;
};

void* data_of(const tree_options_t& options) {
  void* data = nullptr;
  std::memcpy(&data, reinterpret_cast<const char*>(&options) + offsetof(LongerOptions, data),
              sizeof data);
  return data;
}

TEST(OptionsPage, GivesTheOptionsAndSaysNothing) {
  const auto page = OptionsPage::make();
  ASSERT_TRUE(page.ok());
  const tree_options_t& options =
      (*page)->put({.key_size = 16, .pool_path = "/a/path/longer/than/a/short/string"});
  EXPECT_EQ(options.key_size, 16U);
  EXPECT_EQ(options.pool_path, "/a/path/longer/than/a/short/string");
  EXPECT_EQ(options.num_threads, 1U);
  EXPECT_EQ((*page)->warning(), "");
}

TEST(OptionsPage, ShowsThatMoreWasRead) {
  const auto page = OptionsPage::make();
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(data_of((*page)->put({})), nullptr);
  EXPECT_NE((*page)->warning().find("beyond the 64 bytes of PiBench's tree_options_t"),
            std::string::npos);
}

TEST(OptionsPage, ShowsWhatAnotherProcessRead) {
  const auto page = OptionsPage::make();
  ASSERT_TRUE(page.ok());
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) _exit(data_of((*page)->put({})) == nullptr ? 0 : 1);
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_NE((*page)->warning(), "");
}

}  // namespace
}  // namespace assay::index
