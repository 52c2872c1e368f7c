// Purpose: the processor's timestamp counter, read so that what is timed stays between.
//
//   const std::uint64_t began = assay::tick_counter::begin();
//   work();
//   const std::uint64_t ticks = assay::tick_counter::end() - began;
//
// begin() waits for what came before and holds back what comes after; end() waits for the
// work and holds back what comes after. Use them through TickClock, which knows whether the
// counter can be trusted and how fast it runs. CMake picks the file for the processor.
//
// Thread safety: any thread. Cost: 20 to 25 ns a reading, fences included.
#pragma once

#include <cstdint>

namespace assay::tick_counter {

/// Whether there is one that counts at the same rate whatever the processor does, and an
/// instruction that reads it in order.
bool is_invariant();

/// 0 where there is none.
std::uint64_t begin() noexcept;
std::uint64_t end() noexcept;

}  // namespace assay::tick_counter
