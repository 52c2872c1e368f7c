#include <assay/index/crash/checked_record.hpp>
#include <assay/index/crash/verifier.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace assay::index::crash {
namespace {

/// A tree in memory that a test fills with what a store might hold after a kill, right or wrong.
class Store final : public tree_api {
 public:
  bool find(const char* key, std::size_t key_size, char* value_out) override {
    const auto found = map.find({key, key_size});
    if (found == map.end()) return false;
    std::copy(found->second.begin(), found->second.end(), value_out);
    return true;
  }
  bool insert(const char* key, std::size_t key_size, const char* value,
              std::size_t value_size) override {
    return !read_only &&
           map.emplace(std::string(key, key_size), std::string(value, value_size)).second;
  }
  bool update(const char* /*key*/, std::size_t /*key_size*/, const char* /*value*/,
              std::size_t /*value_size*/) override {
    return false;
  }
  bool remove(const char* key, std::size_t key_size) override {
    return map.erase({key, key_size}) == 1;
  }
  int scan(const char* key, std::size_t key_size, int scan_size, char*& values_out) override {
    if (!scans) return 0;
    buffer.clear();
    int records = 0;
    for (auto at = map.lower_bound({key, key_size}); at != map.end() && records < scan_size; ++at) {
      if (at->first == hidden_from_scan) continue;
      buffer += at->first + at->second;
      ++records;
    }
    values_out = buffer.data();
    return records;
  }

  std::map<std::string, std::string> map;
  std::string buffer;
  std::string hidden_from_scan;
  bool scans = true;
  bool read_only = false;
};

constexpr std::uint32_t key_count = 200;

struct Verified : testing::Test {
  CrashPlan plan{.records = key_count / 2, .value_size = 32};
  CheckedRecord record{plan.key_size, plan.value_size};
  OperationLog::Owner log = OperationLog::make(key_count).value();
  Store store;

  Verified() {
    for (std::uint32_t key = 0; key < key_count; key += 2) acknowledge(key, {3, true});
  }
  void acknowledge(std::uint32_t key, KeyState state) {
    log->key(key).intended = state.code();
    log->key(key).acknowledged = state.code();
    if (state.is_there) hold(key, state.version);
  }
  void intend(std::uint32_t key, KeyState state) { log->key(key).intended = state.code(); }
  void hold(std::uint32_t key, std::uint32_t version) {
    store.map[record.key(key)] = record.value(key, version);
  }
  Findings findings() { return verify(store, plan, *log); }
};

void expect_clean(const Findings& found) {
  EXPECT_EQ(found.lost(), 0U);
  EXPECT_EQ(found.spoilt(), 0U);
}

TEST_F(Verified, WhatWasAcknowledgedAndIsThereIsFine) {
  acknowledge(5, {4, false});
  const Findings found = findings();
  expect_clean(found);
  EXPECT_EQ(found.in_flight, 0U);
}

TEST_F(Verified, WhatWasInFlightMayHaveHappenedOrNot) {
  intend(0, {4, true});  // an update that took effect
  hold(0, 4);
  intend(2, {4, true});   // an update that did not
  intend(4, {4, false});  // a removal that took effect
  store.map.erase(record.key(4));
  intend(6, {4, false});  // a removal that did not
  intend(1, {1, true});   // an insert that took effect
  hold(1, 1);
  intend(3, {1, true});  // an insert that did not
  const Findings found = findings();
  expect_clean(found);
  EXPECT_EQ(found.in_flight, 6U);
  EXPECT_EQ(found.happened, 3U);
}

TEST_F(Verified, AcknowledgedAndGone) {
  store.map.erase(record.key(8));
  EXPECT_EQ(findings().gone, 1U);
  EXPECT_EQ(log->message(), "key 8 is gone; acknowledged was version 3");
}

TEST_F(Verified, GoneAlthoughOnlyAnUpdateWasInFlight) {
  intend(8, {4, true});
  store.map.erase(record.key(8));
  EXPECT_EQ(findings().gone, 1U);
}

TEST_F(Verified, AnOlderVersion) {
  hold(8, 2);
  EXPECT_EQ(findings().stale, 1U);
}

TEST_F(Verified, ARemovedKeyThatIsBack) {
  acknowledge(8, {4, false});
  EXPECT_EQ(findings().resurrected, 1U);
}

TEST_F(Verified, AVersionOfTheFuture) {
  hold(8, 9);
  EXPECT_EQ(findings().never_written, 1U);
}

TEST_F(Verified, AKeyThatNobodyWroteHoldsNothing) {
  hold(1, 1);
  EXPECT_EQ(findings().never_written, 1U);
}

TEST_F(Verified, ATornValue) {
  store.map[record.key(8)][20] = static_cast<char>(store.map[record.key(8)][20] ^ 1);
  EXPECT_EQ(findings().torn, 1U);
}

TEST_F(Verified, ATornValueInFlightIsTornAllTheSame) {
  intend(8, {4, true});
  store.map[record.key(8)] = record.value(8, 4).substr(0, 16) + record.value(8, 3).substr(16);
  EXPECT_EQ(findings().torn, 1U);
}

TEST_F(Verified, AScanThatMissesARecordFindSees) {
  store.hidden_from_scan = record.key(100);
  EXPECT_EQ(findings().scan_differs, 1U);
}

TEST_F(Verified, AScanThatShowsAStranger) {
  store.map["stranger"] = std::string(32, 'x');
  EXPECT_EQ(findings().scan_differs, 1U);
}

TEST_F(Verified, APluginWithoutScanIsNotBlamed) {
  store.scans = false;
  expect_clean(findings());
}

TEST_F(Verified, AStoreThatTakesNothingAnyMore) {
  store.read_only = true;
  EXPECT_EQ(findings().unusable, 1U);
}

}  // namespace
}  // namespace assay::index::crash
