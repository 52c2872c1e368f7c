// Purpose: the counters the allocation hooks write: one set per thread, added up on demand.
//
//   assay::thread_tallies::allocated(size, usable);          // in a hook
//   AllocationTally all = assay::thread_tallies::of_all_threads();
//
// Thread safety: every thread writes only its own set; any thread may add them up. A thread's set
// joins the list at its first event and is added to the totals of ended threads when it exits, so
// nothing is lost and no pointer dangles.
//
// Cost: one predicted branch and three additions in thread-local memory per event. No
// atomic read-modify-write: a locked instruction alone costs more than a whole
// malloc/free pair may. Adding up takes a lock and is for the edges of a window.
#pragma once

#include <assay/measure/allocations/allocation_tally.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace assay::thread_tallies {

/// Written by one thread, read by any: a relaxed load and store compile to a plain add.
class OwnedCounter {
 public:
  void add(std::uint64_t n) noexcept {
    count_.store(count_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t read() const noexcept {
    return count_.load(std::memory_order_relaxed);
  }

 private:
  std::atomic<std::uint64_t> count_{0};
};

/// Whether a thread's counters are in the list. `listed` is the bit that marks a mapped block in
/// the header of a glibc chunk, and the other values are nearly all bits. So one test tells the
/// hooks that a thread is listed and a block is not mapped: `header & stage` is 0.
enum class ThreadState : std::size_t {
  listed = 2,
  unlisted = ~std::size_t{0},
  ended = unlisted - 1
};

struct ThreadTally {
  OwnedCounter allocs, reallocs, moved, frees, requested, usable, freed;
  ThreadState stage{ThreadState::unlisted};
  ThreadTally* previous{nullptr};
  ThreadTally* next{nullptr};
};

// constinit: without it every use would first call a function that checks for
// initialisation. Initial-exec: no call to __tls_get_addr, which may itself allocate.
extern constinit thread_local ThreadTally mine [[gnu::tls_model("initial-exec")]];

/// Counts a thread's first event, and events after its thread-exit handler ran.
void add_rare_event(const AllocationTally& event) noexcept;

AllocationTally of_this_thread() noexcept;
AllocationTally of_all_threads() noexcept;

inline bool listed() noexcept {
  return __builtin_expect(mine.stage == ThreadState::listed, 1) != 0;
}

inline void allocated(std::size_t requested, std::size_t usable) noexcept {
  if (!listed())
    return add_rare_event({.allocs = 1, .requested_bytes = requested, .usable_bytes = usable});
  mine.allocs.add(1);
  mine.requested.add(requested);
  mine.usable.add(usable);
}

inline void freed(std::size_t usable) noexcept {
  if (!listed()) return add_rare_event({.frees = 1, .usable_freed_bytes = usable});
  mine.frees.add(1);
  mine.freed.add(usable);
}

/// Not inline: a realloc takes long enough, and is rare enough, that a call does not matter.
void reallocated(const AllocationTally& event) noexcept;

}  // namespace assay::thread_tallies
