#include <assay/index/crash/crash_report.hpp>
#include <assay/index/crash/crash_result.hpp>
#include <assay/index/crash/promise.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace assay::index::crash {
namespace {

TrialResult verified(const Findings& findings) {
  return {.end = TrialEnd::verified, .findings = findings};
}

CrashResult result_of(const std::vector<TrialResult>& trials) {
  CrashResult result;
  for (const TrialResult& trial : trials) result.add(trial);
  return result;
}

TEST(CrashResult, NothingLostIsFine) {
  const CrashResult result = result_of({verified({.acknowledged = 10}), verified({})});
  EXPECT_EQ(result.exit_code(Promise::acknowledged), 0);
  EXPECT_EQ(result.kills(), 2U);
}

TEST(CrashResult, WhatIsLostCountsWhereItWasPromised) {
  for (const Findings& lost : {Findings{.gone = 1}, {.stale = 1}, {.resurrected = 1}}) {
    EXPECT_EQ(result_of({verified({}), verified(lost)}).exit_code(Promise::acknowledged), 1);
    EXPECT_EQ(result_of({verified({}), verified(lost)}).exit_code(Promise::none), 0);
  }
}

TEST(CrashResult, WhatIsSpoiltAlwaysCounts) {
  for (const Findings& spoilt :
       {Findings{.torn = 1}, {.never_written = 1}, {.scan_differs = 1}, {.unusable = 1}}) {
    EXPECT_EQ(result_of({verified(spoilt)}).exit_code(Promise::none), 1);
  }
  const TrialResult closed{.end = TrialEnd::not_verified, .message = "does not open again"};
  EXPECT_EQ(result_of({closed}).exit_code(Promise::none), 1);
}

TEST(CrashResult, NothingMeasuredIsNoSuccess) {
  EXPECT_EQ(result_of({}).exit_code(Promise::acknowledged), 3);
  const TrialResult dead{.end = TrialEnd::not_run, .message = "it died"};
  EXPECT_EQ(result_of({verified({}), dead}).exit_code(Promise::acknowledged), 3);
  EXPECT_EQ(result_of({verified({.gone = 1}), dead}).exit_code(Promise::acknowledged), 1);
}

TEST(CrashResult, AnInterruptIsToldAsSuch) {
  CrashResult result = result_of({verified({})});
  result.interrupted_by = 2;
  EXPECT_EQ(result.exit_code(Promise::acknowledged), 130);
}

TEST(CrashText, SaysWhatWasLostAndWhich) {
  TrialResult trial = verified({.gone = 2, .torn = 1});
  trial.message = "key 7 is gone";
  const std::string text = text_of({}, {"mine"}, result_of({verified({}), trial}));
  EXPECT_NE(text.find("  gone: 2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  torn: 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  kill 2: key 7 is gone\n"), std::string::npos) << text;
  EXPECT_NE(text.find("BROKEN"), std::string::npos) << text;
}

TEST(Promise, RocksDbTakesItBackWithoutItsLog) {
  unsetenv("ASSAY_ROCKSDB_WAL");
  EXPECT_EQ(promise_of("rocksdb"), Promise::acknowledged);
  setenv("ASSAY_ROCKSDB_WAL", "0", 1);
  EXPECT_EQ(promise_of("rocksdb"), Promise::none);
  unsetenv("ASSAY_ROCKSDB_WAL");
  EXPECT_EQ(promise_of("stlmap"), Promise::none);
  EXPECT_EQ(promise_of("somebody_elses"), Promise::acknowledged);
}

}  // namespace
}  // namespace assay::index::crash
