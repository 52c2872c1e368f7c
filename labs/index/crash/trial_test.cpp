#include <assay/index/crash/trial.hpp>
#include <assay/testing/nothing_opens.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace assay::index::crash {
namespace {

TEST(Trial, LeavesNoFolderThatItCouldNotLock) {
  const TemporaryFolder place;
  CrashPlan plan;
  plan.pools = place.path().string();
  Interrupts interrupts;
  TrialResult result;
  {
    const NothingOpens limit;
    result = run_trial(plan, 1, interrupts);
  }
  EXPECT_EQ(result.end, TrialEnd::not_run);
  EXPECT_NE(result.message.find("cannot make a folder"), std::string::npos) << result.message;
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(Trial, IsNotRunInTheCurrentFolderWhereTmpdirIsNone) {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", "/dev/null/none", 1);
  Interrupts interrupts;
  const TrialResult result = run_trial(CrashPlan{}, 1, interrupts);
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_EQ(result.end, TrialEnd::not_run);
  EXPECT_TRUE(result.message.starts_with("TMPDIR: no folder for temporary files: "))
      << result.message;
}

}  // namespace
}  // namespace assay::index::crash
