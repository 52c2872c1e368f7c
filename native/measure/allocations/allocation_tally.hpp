// Purpose: what was asked of the allocator between two moments, as plain numbers.
//
//   const assay::AllocationTally taken = scope.taken();
//   const bool leaks = taken.allocs > taken.frees;
//   const std::int64_t leaked_bytes = taken.leaked_bytes();
//
// Units: calls and bytes. Errors: none. Thread safety: a value. Cost: none to the measurement; this
// is arithmetic on totals.
#pragma once

#include <cstdint>

namespace assay {

/// How things are counted, so that figures can be compared with other tools':
///
///   allocs    malloc, calloc, aligned_alloc, memalign, posix_memalign, valloc, pvalloc,
///             and operator new through them; a call that failed is not counted
///   reallocs  realloc and reallocarray; `moved` of them gave another address. In bytes
///             one is an allocation of the new size and a release of the old block,
///             as in Valgrind's "bytes allocated"
///   frees     of anything but a null pointer
///
/// free() is not told a size: only the allocator knows what it set aside ("usable").
/// So bytes are counted in two ways, as requested and as usable, and how many requested
/// bytes were freed is computed from both.
struct AllocationTally {
  std::uint64_t allocs{0};
  std::uint64_t reallocs{0};
  std::uint64_t moved{0};
  std::uint64_t frees{0};
  std::uint64_t requested_bytes{0};
  std::uint64_t usable_bytes{0};
  std::uint64_t usable_freed_bytes{0};

  /// Requested bytes that were freed: the usable bytes freed, times requested / usable bytes of
  /// what was allocated. Exact when all that was allocated was freed; else off by the average
  /// rounding of a block (up to 15 bytes with glibc).
  [[nodiscard]] double freed_bytes() const {
    const auto freed = static_cast<double>(usable_freed_bytes);
    if (usable_freed_bytes == usable_bytes) return static_cast<double>(requested_bytes);
    if (usable_bytes == 0 || requested_bytes == 0) return freed;  // only older blocks were freed
    return freed * static_cast<double>(requested_bytes) / static_cast<double>(usable_bytes);
  }

  /// Usable bytes allocated and not freed; negative when more was freed. Exact.
  [[nodiscard]] std::int64_t leaked_bytes() const {
    return static_cast<std::int64_t>(usable_bytes) - static_cast<std::int64_t>(usable_freed_bytes);
  }

  friend bool operator==(const AllocationTally&, const AllocationTally&) = default;
};

/// The difference of two totals: what happened between the moments at which they were taken.
inline AllocationTally operator-(const AllocationTally& after, const AllocationTally& before) {
  return {.allocs = after.allocs - before.allocs,
          .reallocs = after.reallocs - before.reallocs,
          .moved = after.moved - before.moved,
          .frees = after.frees - before.frees,
          .requested_bytes = after.requested_bytes - before.requested_bytes,
          .usable_bytes = after.usable_bytes - before.usable_bytes,
          .usable_freed_bytes = after.usable_freed_bytes - before.usable_freed_bytes};
}

/// The sum of two spans of time, or of two threads.
inline AllocationTally operator+(const AllocationTally& a, const AllocationTally& b) {
  return {.allocs = a.allocs + b.allocs,
          .reallocs = a.reallocs + b.reallocs,
          .moved = a.moved + b.moved,
          .frees = a.frees + b.frees,
          .requested_bytes = a.requested_bytes + b.requested_bytes,
          .usable_bytes = a.usable_bytes + b.usable_bytes,
          .usable_freed_bytes = a.usable_freed_bytes + b.usable_freed_bytes};
}

}  // namespace assay
