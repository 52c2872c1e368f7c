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

ThreadPartition place(std::uint32_t thread, std::uint32_t threads) {
  return {.records = 100, .thread = thread, .threads = threads};
}

TEST(ExpectedRecords, HoldsWhatWasLoaded) {
  const ExpectedRecords expected(options(1), 100);
  EXPECT_EQ(expected.held(), 100U);
  EXPECT_TRUE(expected.holds(place(0, 1), 99));
  EXPECT_FALSE(expected.holds(place(0, 1), 100));
}

TEST(ExpectedRecords, ARecordIsRemovedOnce) {
  ExpectedRecords expected(options(2), 100);
  EXPECT_TRUE(expected.note_remove(place(0, 2), 7));
  EXPECT_FALSE(expected.note_remove(place(1, 2), 7));
  EXPECT_FALSE(expected.holds(place(0, 2), 7));
  EXPECT_EQ(expected.held(), 99U);
}

TEST(ExpectedRecords, KnowsWhatEachThreadInserted) {
  ExpectedRecords expected(options(2), 100);
  const ThreadPartition second = place(1, 2);
  expected.note_insert(second, second.inserted_id(0), true);
  expected.note_insert(second, second.inserted_id(1), false);
  EXPECT_TRUE(expected.holds(second, second.inserted_id(0)));
  EXPECT_FALSE(expected.holds(second, second.inserted_id(1)));
  EXPECT_TRUE(expected.note_remove(second, second.inserted_id(0)));
  EXPECT_EQ(expected.held(), 100U);
}

TEST(ExpectedRecords, TheLastVersionOfAnyThreadMayBeLast) {
  ExpectedRecords expected(options(2), 100);
  const ThreadPartition first = place(0, 2);
  const ThreadPartition second = place(1, 2);
  EXPECT_TRUE(expected.may_be_last(first, 5, 0));
  expected.note_write(first, 5, version_by(first, 0));
  expected.note_write(first, 5, version_by(first, 1));
  expected.note_write(second, 5, version_by(second, 0));
  EXPECT_FALSE(expected.may_be_last(first, 5, 0)) << "what was loaded";
  EXPECT_FALSE(expected.may_be_last(first, 5, version_by(first, 0))) << "overwritten by its writer";
  EXPECT_TRUE(expected.may_be_last(first, 5, version_by(first, 1)));
  EXPECT_TRUE(expected.may_be_last(first, 5, version_by(second, 0)));
  EXPECT_FALSE(expected.may_be_last(first, 5, version_by(second, 1))) << "never written";
}

TEST(ExpectedRecords, IsCertainWhereNobodyElseRemoves) {
  EXPECT_TRUE(ExpectedRecords(options(1), 100).is_certain(5));
  EXPECT_TRUE(ExpectedRecords(options(2, false), 100).is_certain(5));
  EXPECT_FALSE(ExpectedRecords(options(2), 100).is_certain(5));
  EXPECT_TRUE(ExpectedRecords(options(2), 100).is_certain(100)) << "inserted by the thread itself";
}

}  // namespace
}  // namespace assay::index
