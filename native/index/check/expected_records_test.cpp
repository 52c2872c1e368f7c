#include <assay/index/check/expected_records.hpp>

#include <gtest/gtest.h>

namespace assay::index {
namespace {

Options options(std::uint32_t threads, bool removes = true) {
  Options options;
  options.threads = threads;
  options.ratios = {{0.5, 0, 0, removes ? 0.5 : 0, 0, 0}};
  return options;
}

ThreadPlace place(std::uint32_t thread, std::uint32_t threads) {
  return {.records = 100, .thread = thread, .threads = threads};
}

TEST(Ledger, HoldsWhatWasLoaded) {
  const Ledger ledger(options(1), 100);
  EXPECT_EQ(ledger.held(), 100U);
  EXPECT_TRUE(ledger.holds(place(0, 1), 99));
  EXPECT_FALSE(ledger.holds(place(0, 1), 100));
}

TEST(Ledger, ARecordIsRemovedOnce) {
  Ledger ledger(options(2), 100);
  EXPECT_TRUE(ledger.removed(place(0, 2), 7));
  EXPECT_FALSE(ledger.removed(place(1, 2), 7));
  EXPECT_FALSE(ledger.holds(place(0, 2), 7));
  EXPECT_EQ(ledger.held(), 99U);
}

TEST(Ledger, KnowsWhatEachThreadInserted) {
  Ledger ledger(options(2), 100);
  const ThreadPlace second = place(1, 2);
  ledger.inserted(second, second.inserted_id(0), true);
  ledger.inserted(second, second.inserted_id(1), false);
  EXPECT_TRUE(ledger.holds(second, second.inserted_id(0)));
  EXPECT_FALSE(ledger.holds(second, second.inserted_id(1)));
  EXPECT_TRUE(ledger.removed(second, second.inserted_id(0)));
  EXPECT_EQ(ledger.held(), 100U);
}

TEST(Ledger, TheLastVersionOfAnyThreadMayBeLast) {
  Ledger ledger(options(2), 100);
  const ThreadPlace first = place(0, 2);
  const ThreadPlace second = place(1, 2);
  EXPECT_TRUE(ledger.may_be_last(first, 5, 0));
  ledger.wrote(first, 5, version_by(first, 0));
  ledger.wrote(first, 5, version_by(first, 1));
  ledger.wrote(second, 5, version_by(second, 0));
  EXPECT_FALSE(ledger.may_be_last(first, 5, 0)) << "what was loaded";
  EXPECT_FALSE(ledger.may_be_last(first, 5, version_by(first, 0))) << "overwritten by its writer";
  EXPECT_TRUE(ledger.may_be_last(first, 5, version_by(first, 1)));
  EXPECT_TRUE(ledger.may_be_last(first, 5, version_by(second, 0)));
  EXPECT_FALSE(ledger.may_be_last(first, 5, version_by(second, 1))) << "never written";
}

TEST(Ledger, IsCertainWhereNobodyElseRemoves) {
  EXPECT_TRUE(Ledger(options(1), 100).is_certain(5));
  EXPECT_TRUE(Ledger(options(2, false), 100).is_certain(5));
  EXPECT_FALSE(Ledger(options(2), 100).is_certain(5));
  EXPECT_TRUE(Ledger(options(2), 100).is_certain(100)) << "inserted by the thread itself";
}

}  // namespace
}  // namespace assay::index
