#include <assay/measure/allocations/allocation_meter.hpp>

#include <assay/measure/allocations/allocator_functions.hpp>

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(AllocationMeter, CountsTheMarkedPartsOnly) {
  AllocationMeter meter;
  for (int i = 0; i < 5; ++i) {
    hooks::free(hooks::malloc(1000));
    const auto part = meter.part();
    hooks::free(hooks::malloc(10));
  }
  EXPECT_EQ(meter.taken().allocs, 5U);
  EXPECT_EQ(meter.taken().frees, 5U);
  EXPECT_EQ(meter.taken().requested_bytes, 50U);
}

TEST(AllocationMeter, WithoutPartsNothing) {
  const AllocationMeter meter;
  hooks::free(hooks::malloc(10));
  EXPECT_EQ(meter.taken(), AllocationTally{});
}

}  // namespace
}  // namespace assay
