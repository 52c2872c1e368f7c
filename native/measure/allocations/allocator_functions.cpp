#include <assay/measure/allocations/allocator_functions.hpp>

#include <assay/measure/allocations/allocation_hooks.hpp>
#include <assay/measure/allocations/allocation_scope.hpp>
#include <assay/measure/allocations/thread_tallies.hpp>

#include <malloc.h>

#include <atomic>
#include <cstdlib>

// NOLINTBEGIN(cppcoreguidelines-no-malloc): this is malloc.

namespace assay::hooks {
namespace {

std::atomic<bool> were_used{false};

bool malloc_counts() noexcept {
  const AllocationScope scope(AllocationScope::Covers::this_thread);
  void* volatile block = std::malloc(40);
  std::free(block);
  return scope.taken().allocs > 0;
}

// True where malloc is not counted by itself, so that these functions have to count. Tried before
// main, because a trial at the first call would be counted in that caller's scope.
const bool malloc_does_not_count = !malloc_counts();

bool must_count() noexcept {
  if (!were_used.load(std::memory_order_relaxed)) were_used = true;
  return malloc_does_not_count;
}

}  // namespace

void* malloc(std::size_t size) noexcept {
  void* const block = std::malloc(size);
  if (must_count() && block != nullptr) {
    thread_tallies::allocated(size, malloc_usable_size(block));
  }
  return block;
}

void* calloc(std::size_t count, std::size_t size) noexcept {
  void* const block = std::calloc(count, size);
  if (must_count() && block != nullptr) {
    thread_tallies::allocated(count * size, malloc_usable_size(block));
  }
  return block;
}

void* realloc(void* block, std::size_t size) noexcept {
  const std::size_t old_usable = block != nullptr ? malloc_usable_size(block) : 0;
  const auto old_address = reinterpret_cast<std::uintptr_t>(block);
  void* const grown = std::realloc(block, size);
  if (!must_count() || (grown == nullptr && size > 0)) return grown;
  const bool moved = old_address != 0 && reinterpret_cast<std::uintptr_t>(grown) != old_address;
  thread_tallies::reallocated({.reallocs = 1,
                               .moved = moved && grown != nullptr ? 1U : 0U,
                               .requested_bytes = size,
                               .usable_bytes = grown != nullptr ? malloc_usable_size(grown) : 0,
                               .usable_freed_bytes = old_usable});
  return grown;
}

void free(void* block) noexcept {
  if (block != nullptr && must_count()) thread_tallies::freed(malloc_usable_size(block));
  std::free(block);
}

bool functions_were_used() noexcept {
  return were_used;
}

}  // namespace assay::hooks

// NOLINTEND(cppcoreguidelines-no-malloc)
