// Each test does something whose calls of the allocator can be counted beforehand.
#include <assay/measure/allocations/allocation_scope.hpp>

#include <assay/measure/allocations/allocation_hooks.hpp>

#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace assay {
namespace {

/// Makes the compiler keep an allocation, which it may remove where its result is not used.
template <class Pointer>
Pointer kept_by_compiler(Pointer pointer) {
  asm volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

class KnownProgram : public testing::Test {
 protected:
  void SetUp() override {
    if (!hooks::compiled_in()) GTEST_SKIP() << "not counted: " << hooks::why_not();
  }
};

TEST_F(KnownProgram, MallocAndFree) {
  const AllocationScope scope;
  void* block = kept_by_compiler(std::malloc(100));
  const std::size_t usable = malloc_usable_size(block);
  std::free(block);
  const AllocationTally expected{.allocs = 1,
                                 .frees = 1,
                                 .requested_bytes = 100,
                                 .usable_bytes = usable,
                                 .usable_freed_bytes = usable};
  EXPECT_EQ(scope.taken(), expected);
  EXPECT_DOUBLE_EQ(scope.taken().freed_bytes(), 100);
}

TEST_F(KnownProgram, ThatDoesNothing) {
  const AllocationScope scope;
  EXPECT_EQ(scope.taken(), AllocationTally{});
}

TEST_F(KnownProgram, FreeOfNullIsNoFree) {
  const AllocationScope scope;
  std::free(kept_by_compiler(static_cast<void*>(nullptr)));
  EXPECT_EQ(scope.taken().frees, 0U);
}

TEST_F(KnownProgram, MallocOfNothingIsAnAllocation) {
  const AllocationScope scope;
  std::free(kept_by_compiler(std::malloc(0)));
  EXPECT_EQ(scope.taken().allocs, 1U);
  EXPECT_EQ(scope.taken().requested_bytes, 0U);
  EXPECT_EQ(scope.taken().leaked_bytes(), 0);
}

TEST_F(KnownProgram, CallocGivesZeroesAndCountsTheProduct) {
  const AllocationScope scope;
  char* block = kept_by_compiler(static_cast<char*>(std::calloc(10, 30)));
  for (int i = 0; i < 300; ++i) ASSERT_EQ(block[i], 0);
  std::free(block);
  EXPECT_EQ(scope.taken().allocs, 1U);
  EXPECT_EQ(scope.taken().requested_bytes, 300U);
}

TEST_F(KnownProgram, FailedAllocationsAreNotCounted) {
  const AllocationScope scope;
  const volatile std::size_t too_much = PTRDIFF_MAX;
  EXPECT_EQ(kept_by_compiler(std::malloc(too_much)), nullptr);
  EXPECT_EQ(kept_by_compiler(std::calloc(too_much, 16)), nullptr);
  const volatile std::size_t wraps_to_16 = SIZE_MAX / 16 + 2;  // times 16
  EXPECT_EQ(kept_by_compiler(reallocarray(nullptr, wraps_to_16, 16)), nullptr);
  EXPECT_EQ(scope.taken(), AllocationTally{});
}

TEST_F(KnownProgram, FailedReallocLeavesTheBlock) {
  void* block = kept_by_compiler(std::malloc(10));
  const AllocationScope scope;
  const volatile std::size_t too_much = PTRDIFF_MAX;
  EXPECT_EQ(kept_by_compiler(std::realloc(kept_by_compiler(block), too_much)), nullptr);
  EXPECT_EQ(scope.taken(), AllocationTally{});
  std::free(block);
}

TEST_F(KnownProgram, ReallocOfNullIsACallToRealloc) {
  const AllocationScope scope;
  std::free(kept_by_compiler(std::realloc(kept_by_compiler(static_cast<void*>(nullptr)), 50)));
  EXPECT_EQ(scope.taken().allocs, 0U);
  EXPECT_EQ(scope.taken().reallocs, 1U);
  EXPECT_EQ(scope.taken().moved, 0U);
  EXPECT_EQ(scope.taken().requested_bytes, 50U);
  EXPECT_EQ(scope.taken().leaked_bytes(), 0);
}

TEST_F(KnownProgram, ReallocToNothingReleases) {
  void* block = kept_by_compiler(std::malloc(64));
  const auto usable = static_cast<std::int64_t>(malloc_usable_size(block));
  const AllocationScope scope;
  const volatile std::size_t nothing = 0;
  EXPECT_EQ(kept_by_compiler(std::realloc(block, nothing)), nullptr);
  EXPECT_EQ(scope.taken().reallocs, 1U);
  EXPECT_EQ(scope.taken().leaked_bytes(), -usable);
}

TEST_F(KnownProgram, ReallocInPlaceDoesNotMove) {
  void* block = kept_by_compiler(std::malloc(100));
  const AllocationScope scope;
  void* same = kept_by_compiler(std::realloc(block, malloc_usable_size(block)));
  EXPECT_EQ(scope.taken().reallocs, 1U);
  EXPECT_EQ(scope.taken().moved, 0U);
  EXPECT_EQ(scope.taken().leaked_bytes(), 0);
  std::free(same);
}

TEST_F(KnownProgram, ReallocThatCannotGrowMoves) {
  void* block = kept_by_compiler(std::malloc(24));
  void* wall = kept_by_compiler(std::malloc(24));
  const auto before = static_cast<std::int64_t>(malloc_usable_size(block));
  const AllocationScope scope;
  void* grown = kept_by_compiler(std::realloc(block, 5000));
  EXPECT_EQ(scope.taken().moved, 1U);
  EXPECT_EQ(scope.taken().requested_bytes, 5000U);
  EXPECT_EQ(scope.taken().leaked_bytes(),
            static_cast<std::int64_t>(malloc_usable_size(grown)) - before);
  std::free(grown);
  std::free(wall);
}

TEST_F(KnownProgram, ReallocarrayCountsAsRealloc) {
  const AllocationScope scope;
  std::free(kept_by_compiler(reallocarray(nullptr, 10, 12)));
  EXPECT_EQ(scope.taken().reallocs, 1U);
  EXPECT_EQ(scope.taken().requested_bytes, 120U);
}

TEST_F(KnownProgram, AlignedForms) {
  const AllocationScope scope;
  void* block = nullptr;
  ASSERT_EQ(posix_memalign(&block, 64, 100), 0);
  std::free(kept_by_compiler(block));
  std::free(kept_by_compiler(std::aligned_alloc(64, 128)));
  std::free(kept_by_compiler(memalign(64, 100)));
  std::free(kept_by_compiler(valloc(100)));
  std::free(kept_by_compiler(pvalloc(100)));
  EXPECT_EQ(scope.taken().allocs, 5U);
  EXPECT_EQ(scope.taken().frees, 5U);
  EXPECT_EQ(scope.taken().requested_bytes, 528U);
  EXPECT_EQ(scope.taken().leaked_bytes(), 0);
}

TEST_F(KnownProgram, RefusedAlignmentIsNotCounted) {
  const AllocationScope scope;
  void* block = nullptr;
  EXPECT_NE(posix_memalign(&block, 3, 100), 0);
  EXPECT_EQ(scope.taken().allocs, 0U);
}

TEST_F(KnownProgram, MappedBlocksAreMeasuredToo) {
  constexpr std::size_t large = std::size_t{64} << 20U;
  const AllocationScope scope;
  void* block = kept_by_compiler(std::malloc(large));
  EXPECT_EQ(scope.taken().usable_bytes, malloc_usable_size(block));
  std::free(block);
  EXPECT_EQ(scope.taken().leaked_bytes(), 0);
}

TEST_F(KnownProgram, NewAndDeleteInAllForms) {
  struct alignas(64) Wide {
    char bytes[64];
  };
  const AllocationScope scope;
  delete kept_by_compiler(new int);
  delete[] kept_by_compiler(new char[100]);
  delete kept_by_compiler(new Wide);
  delete kept_by_compiler(new (std::nothrow) int);
  EXPECT_EQ(scope.taken().allocs, 4U);
  EXPECT_EQ(scope.taken().frees, 4U);
  EXPECT_EQ(scope.taken().leaked_bytes(), 0);
}

TEST_F(KnownProgram, TheCLibrarysOwnAllocations) {
  const AllocationScope scope;
  std::free(kept_by_compiler(strdup("twelve bytes")));
  EXPECT_EQ(scope.taken().allocs, 1U);
  EXPECT_EQ(scope.taken().requested_bytes, 13U);
}

TEST_F(KnownProgram, ThatLeaks) {
  void* leaked = nullptr;
  {
    const AllocationScope scope;
    leaked = kept_by_compiler(std::malloc(1000));
    EXPECT_EQ(scope.taken().leaked_bytes(), static_cast<std::int64_t>(malloc_usable_size(leaked)));
    EXPECT_DOUBLE_EQ(scope.taken().freed_bytes(), 0);
  }
  std::free(leaked);
}

TEST_F(KnownProgram, ManyThreads) {
  constexpr int threads = 4;
  constexpr int pairs = 10'000;
  std::vector<std::thread> team;
  team.reserve(threads);
  std::atomic<int> ready{0};
  std::atomic<bool> go{false};
  const auto work = [&ready, &go] {
    ++ready;
    while (!go) std::this_thread::yield();
    for (int i = 0; i < pairs; ++i) std::free(kept_by_compiler(std::malloc(40)));
  };
  for (int i = 0; i < threads; ++i) team.emplace_back(work);
  while (ready < threads) std::this_thread::yield();
  const AllocationScope scope;
  go = true;
  for (std::thread& member : team) member.join();
  // At thread exit the runtime frees what it allocated for the thread, beside ours.
  EXPECT_EQ(scope.taken().allocs, std::uint64_t{threads} * pairs);
  EXPECT_EQ(scope.taken().requested_bytes, std::uint64_t{threads} * pairs * 40);
  EXPECT_GE(scope.taken().frees, std::uint64_t{threads} * pairs);
  EXPECT_LE(scope.taken().frees, std::uint64_t{threads} * (pairs + 2));
}

TEST_F(KnownProgram, FreeOnAnotherThread) {
  const AllocationScope here(AllocationScope::Covers::this_thread);
  const AllocationScope everywhere;
  std::vector<void*> blocks(100);
  const AllocationTally before = here.taken();
  for (void*& block : blocks) block = std::malloc(64);
  EXPECT_EQ((here.taken() - before).allocs, 100U);
  std::uint64_t freed_there = 0;
  std::thread([&blocks, &freed_there] {
    const AllocationScope there(AllocationScope::Covers::this_thread);
    for (void* block : blocks) std::free(block);
    freed_there = there.taken().frees;
    EXPECT_EQ(there.taken().allocs, 0U);
  }).join();
  EXPECT_EQ(freed_there, 100U);
  EXPECT_EQ((here.taken() - before).usable_freed_bytes, 0U);
  EXPECT_GE(everywhere.taken().frees, 100U);
}

TEST_F(KnownProgram, ScopesNest) {
  const AllocationScope outer;
  std::free(kept_by_compiler(std::malloc(10)));
  {
    const AllocationScope inner;
    std::free(kept_by_compiler(std::malloc(10)));
    EXPECT_EQ(inner.taken().allocs, 1U);
  }
  std::free(kept_by_compiler(std::malloc(10)));
  EXPECT_EQ(outer.taken().allocs, 3U);
}

TEST_F(KnownProgram, IsNotCountedOutsideOfAScope) {
  auto first = std::make_unique<AllocationScope>();
  first.reset();
  const AllocationScope none_between;
  const AllocationTally before = none_between.taken();
  EXPECT_EQ(before, AllocationTally{});
}

}  // namespace
}  // namespace assay
