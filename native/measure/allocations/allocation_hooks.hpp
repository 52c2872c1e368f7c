// Purpose: switches counting by the interposed allocator functions (malloc, calloc, realloc,
// reallocarray, free and the aligned forms; operator new and delete call those) on and off.
//
//   assay::hooks::arm(assay::hooks::Counting::totals);
//   work();  // its allocations are counted
//   assay::hooks::disarm(assay::hooks::Counting::totals);
//
// Users want AllocationScope; this is what it is made of.
//
// Thread safety: any thread may arm and disarm; it counts nested uses. A call under way
// in another thread at that moment may or may not be counted.
//
// Errors: none; where the build interposes nothing (compiled_in()), arming does nothing and all
// counts are 0. Units: blocks and usable bytes (AllocationTally).
//
// Cost of a malloc/free pair that takes 8.5 ns without hooks (benchmarks/native/
// allocation_cost measures it): idle, 0.1 to 0.4 ns more, because malloc is one indirect
// jump, as through the linkage table. Counting, 2 ns more.
//
// How: our malloc is linked into the program (as a weak definition, so that the program's own
// wins over it) and jumps through a table. Idle, the table holds the next allocator's functions:
// glibc's, or a preloaded or linked jemalloc's, exactly as without us. Arming swaps the table.
#pragma once

#include <assay/measure/allocations/allocation_tally.hpp>

#include <array>
#include <cstdint>

namespace assay::hooks {

enum class Counting : std::uint8_t {
  totals,  // per-thread counts of calls and bytes
  // Those counts, and the peak of live bytes of the process: locked additions, 20 ns a malloc/free
  // pair.
  totals_and_peak
};

/// Whether this build interposes at all; if not, why_not() says why.
bool compiled_in() noexcept;
const char* why_not() noexcept;

void arm(Counting counting) noexcept;
void disarm(Counting counting) noexcept;

/// Highest net growth in usable bytes since totals_and_peak was armed.
std::int64_t peak_bytes() noexcept;

/// How many blocks were asked for of each size since totals_and_peak was armed: [0] of 0
/// bytes, [n] of 2^(n-1) to 2^n - 1.
using SizeClasses = std::array<std::uint64_t, 65>;
SizeClasses size_classes() noexcept;

/// The block that was allocated first and freed last since totals_and_peak was armed, as a tally to
/// subtract: the block of a harness around the counted code. Zero if no block was both.
AllocationTally outermost_block() noexcept;

/// Whether operator new is our own as well. Calling this makes the linker link our operator new.
bool operator_new_is_hooked() noexcept;

/// The address of the malloc behind the hooks: tells which allocator does the work.
const void* next_malloc() noexcept;

}  // namespace assay::hooks
