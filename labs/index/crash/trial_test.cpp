#include <assay/index/crash/trial.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>

namespace assay::index::crash {
namespace {

/// While this object lives, the process can open nothing: neither can it lock a folder.
class NothingOpens {
 public:
  NothingOpens() {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit none = before_;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_NOFILE, &none);
  }
  ~NothingOpens() { setrlimit(RLIMIT_NOFILE, &before_); }
  NothingOpens(const NothingOpens&) = delete;
  NothingOpens& operator=(const NothingOpens&) = delete;

 private:
  rlimit before_{};
};

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

}  // namespace
}  // namespace assay::index::crash
