// The examples of native/measure/allocations, line for line (tools/header_examples.py); those
// that report to Google Benchmark are in gbench.cpp.
#include <assay/measure/allocations/allocation_hooks.hpp>
#include <assay/measure/allocations/allocation_scope.hpp>
#include <assay/measure/allocations/allocation_status.hpp>
#include <assay/measure/allocations/allocation_tally.hpp>
#include <assay/measure/allocations/allocator_functions.hpp>
#include <assay/measure/allocations/next_allocator.hpp>
#include <assay/measure/allocations/peak_scope.hpp>
#include <assay/measure/allocations/thread_tallies.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>

namespace assay {
namespace {

std::unique_ptr<char[]> kept;

void work() {
  kept = std::make_unique<char[]>(4096);
}

TEST(HeaderExamples, AllocationHooks) {
  const std::uint64_t before = thread_tallies::of_this_thread().allocs;

  assay::hooks::arm(assay::hooks::Counting::totals);
  work();  // its allocations are counted
  assay::hooks::disarm(assay::hooks::Counting::totals);

  EXPECT_EQ(thread_tallies::of_this_thread().allocs - before, hooks::compiled_in() ? 1U : 0U);
}

TEST(HeaderExamples, AllocationStatus) {
  if (!assay::allocation_status().counted) puts(assay::allocation_status().reason.c_str());

  EXPECT_EQ(allocation_status().counted, allocation_status().reason.empty());
}

TEST(HeaderExamples, AllocationTally) {
  kept.reset();
  const AllocationScope scope;
  work();

  const assay::AllocationTally taken = scope.taken();
  const bool leaks = taken.allocs > taken.frees;
  const std::int64_t leaked_bytes = taken.leaked_bytes();

  EXPECT_EQ(leaks, allocation_status().counted);
  EXPECT_GE(leaked_bytes, leaks ? 4096 : 0);
}

void* (*library_malloc)(std::size_t) noexcept;
void* (*library_realloc)(void*, std::size_t) noexcept;
void (*library_free)(void*) noexcept;

void library_set_malloc(void* (*function)(std::size_t) noexcept) {
  library_malloc = function;
}
void library_set_realloc(void* (*function)(void*, std::size_t) noexcept) {
  library_realloc = function;
}
void library_set_free(void (*function)(void*) noexcept) {
  library_free = function;
}

TEST(HeaderExamples, AllocatorFunctions) {
  library_set_malloc(assay::hooks::malloc);
  library_set_realloc(assay::hooks::realloc);
  library_set_free(assay::hooks::free);
  const assay::AllocationScope scope;  // sees what the library asks for

  library_free(library_realloc(library_malloc(24), 48));
  EXPECT_EQ(scope.taken().requested_bytes, 72U);
}

// Compiled only: where allocations are not hooked, there is no next allocator.
[[maybe_unused]] void* next_allocator_example() {
  void* block = assay::next_allocator.malloc(24);

  return block;
}

TEST(HeaderExamples, PeakScope) {
  kept.reset();

  assay::PeakScope scope;
  work();
  const std::int64_t most = scope.peak_bytes();  // live at once, beyond those live at the start

  EXPECT_GE(most, allocation_status().counted ? 4096 : 0);
}

TEST(HeaderExamples, ThreadTallies) {
  const std::uint64_t before = thread_tallies::of_all_threads().requested_bytes;
  const std::size_t size = 20;
  const std::size_t usable = 24;

  assay::thread_tallies::allocated(size, usable);  // in a hook
  AllocationTally all = assay::thread_tallies::of_all_threads();

  EXPECT_EQ(all.requested_bytes - before, size);
}

}  // namespace
}  // namespace assay
