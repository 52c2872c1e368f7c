#include <assay/measure/allocations/allocation_tally.hpp>

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(AllocationTally, FreedBytesAreThoseRequestedWhenAllWasFreed) {
  const AllocationTally tally{
      .requested_bytes = 100, .usable_bytes = 104, .usable_freed_bytes = 104};
  EXPECT_DOUBLE_EQ(tally.freed_bytes(), 100);
  EXPECT_EQ(tally.leaked_bytes(), 0);
}

TEST(AllocationTally, FreedBytesFollowTheShareThatWasFreed) {
  const AllocationTally tally{
      .requested_bytes = 100, .usable_bytes = 104, .usable_freed_bytes = 52};
  EXPECT_DOUBLE_EQ(tally.freed_bytes(), 50);
  EXPECT_EQ(tally.leaked_bytes(), 52);
}

TEST(AllocationTally, FreesOfEarlierBlocksCountAsTheyLie) {
  const AllocationTally tally{.frees = 1, .usable_freed_bytes = 24};
  EXPECT_DOUBLE_EQ(tally.freed_bytes(), 24);
  EXPECT_EQ(tally.leaked_bytes(), -24);
}

TEST(AllocationTally, ADifferenceIsTakenFieldByField) {
  const AllocationTally before{.allocs = 1,
                               .reallocs = 2,
                               .moved = 3,
                               .frees = 4,
                               .requested_bytes = 5,
                               .usable_bytes = 6,
                               .usable_freed_bytes = 7};
  const AllocationTally after{.allocs = 11,
                              .reallocs = 22,
                              .moved = 33,
                              .frees = 44,
                              .requested_bytes = 55,
                              .usable_bytes = 66,
                              .usable_freed_bytes = 77};
  const AllocationTally expected{.allocs = 10,
                                 .reallocs = 20,
                                 .moved = 30,
                                 .frees = 40,
                                 .requested_bytes = 50,
                                 .usable_bytes = 60,
                                 .usable_freed_bytes = 70};
  EXPECT_EQ(after - before, expected);
}

}  // namespace
}  // namespace assay
