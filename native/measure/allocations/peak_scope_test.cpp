#include <assay/measure/allocations/peak_scope.hpp>

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <thread>
#include <vector>

namespace assay {
namespace {

template <class Pointer>
Pointer kept_by_compiler(Pointer pointer) {
  asm volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

class PeakScopeTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!hooks::compiled_in()) GTEST_SKIP() << "not counted: " << hooks::why_not();
  }
};

TEST_F(PeakScopeTest, IsTheMostThatLivedAtOnce) {
  const PeakScope scope;
  void* first = kept_by_compiler(std::malloc(1000));
  void* second = kept_by_compiler(std::malloc(2000));
  const auto both =
      static_cast<std::int64_t>(malloc_usable_size(first) + malloc_usable_size(second));
  std::free(first);
  std::free(second);
  std::free(kept_by_compiler(std::malloc(1500)));
  EXPECT_EQ(scope.peak_bytes(), both);
  EXPECT_EQ(scope.taken().allocs, 3U);
}

TEST_F(PeakScopeTest, FollowsGrowthByRealloc) {
  const PeakScope scope;
  void* block = kept_by_compiler(std::malloc(10));
  block = kept_by_compiler(std::realloc(block, 10'000));
  const auto usable = static_cast<std::int64_t>(malloc_usable_size(block));
  std::free(block);
  EXPECT_EQ(scope.peak_bytes(), usable);
}

TEST_F(PeakScopeTest, StartsAtZeroEachTime) {
  {
    const PeakScope scope;
    std::free(kept_by_compiler(std::malloc(100'000)));
  }
  const PeakScope scope;
  EXPECT_EQ(scope.peak_bytes(), 0);
}

TEST_F(PeakScopeTest, FreeingWhatWasThereBeforeIsNoGrowth) {
  void* earlier = kept_by_compiler(std::malloc(4000));
  const PeakScope scope;
  std::free(earlier);
  std::free(kept_by_compiler(std::malloc(3000)));
  EXPECT_EQ(scope.peak_bytes(), 0);
}

TEST_F(PeakScopeTest, ABlockAroundEverythingCanBeLeftOut) {
  const PeakScope scope;
  void* frame = kept_by_compiler(std::malloc(400));
  void* block = kept_by_compiler(std::malloc(1000));
  const auto usable = static_cast<std::int64_t>(malloc_usable_size(block));
  std::free(block);
  EXPECT_EQ(scope.taken_inside().allocs, 2U);  // `frame` is not freed yet, so it is not left out
  std::free(frame);
  EXPECT_EQ(scope.taken().allocs, 2U);
  EXPECT_EQ(scope.taken_inside().allocs, 1U);
  EXPECT_EQ(scope.taken_inside().frees, 1U);
  EXPECT_EQ(scope.taken_inside().requested_bytes, 1000U);
  EXPECT_EQ(scope.peak_bytes_inside(), usable);
}

TEST_F(PeakScopeTest, SortsBlocksBySize) {
  const PeakScope scope;
  for (const std::size_t size : {0U, 1U, 64U, 100U, 127U, 128U})
    std::free(kept_by_compiler(std::malloc(size)));
  std::free(kept_by_compiler(std::realloc(kept_by_compiler(std::malloc(3)), 5000)));
  const hooks::SizeClasses classes = scope.size_classes();
  EXPECT_EQ(classes[0], 1U);
  EXPECT_EQ(classes[1], 1U);
  EXPECT_EQ(classes[2], 1U);   // 2 and 3
  EXPECT_EQ(classes[7], 3U);   // 64 to 127
  EXPECT_EQ(classes[8], 1U);   // 128 to 255
  EXPECT_EQ(classes[13], 1U);  // 4096 to 8191
}

TEST_F(PeakScopeTest, AddsUpOverThreads) {
  const PeakScope scope;
  void* here = kept_by_compiler(std::malloc(50'000));
  std::thread([] { std::free(kept_by_compiler(std::malloc(70'000))); }).join();
  std::free(here);
  EXPECT_GE(scope.peak_bytes(), 120'000);
  EXPECT_LT(scope.peak_bytes(), 130'000);
}

}  // namespace
}  // namespace assay
