// Runs in every build, with sanitizers too: these functions count without interposition.
#include <assay/measure/allocations/allocator_functions.hpp>

#include <assay/measure/allocations/allocation_scope.hpp>

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(AllocatorFunctions, CountEachCallOnce) {
  const AllocationScope scope(AllocationScope::Covers::this_thread);
  void* block = hooks::malloc(100);
  block = hooks::realloc(block, 5000);
  hooks::free(block);
  hooks::free(hooks::calloc(10, 30));
  hooks::free(nullptr);
  EXPECT_EQ(scope.taken().allocs, 2U);
  EXPECT_EQ(scope.taken().reallocs, 1U);
  EXPECT_EQ(scope.taken().frees, 2U);
  EXPECT_EQ(scope.taken().requested_bytes, 5400U);
  EXPECT_EQ(scope.taken().leaked_bytes(), 0);
  EXPECT_TRUE(hooks::functions_were_used());
}

}  // namespace
}  // namespace assay
