// Purpose: reads the processor's timestamp counter so that the timed work stays between the two
// readings, although the processor executes instructions out of order.
//
//   const std::uint64_t began = assay::tick_counter::begin();
//   work();
//   const std::uint64_t ticks = assay::tick_counter::end() - began;
//
// begin() waits for the instructions before it and holds back those after it; end() waits for the
// work and holds back what comes after. Use them through TickClock, which knows whether the counter
// can be trusted and how fast it runs. CMake chooses the source file for the processor.
//
// Units: ticks of the counter. Errors: none; 0 where there is no counter.
// Thread safety: any thread. Cost: 20 to 25 ns a reading, fences included.
#pragma once

#include <cstdint>

namespace assay::tick_counter {

/// Whether the processor has a counter whose rate is constant (whatever its frequency and power
/// state), and an instruction that reads it in order.
bool is_invariant();

/// The counter before and after what is timed, in ticks; 0 where there is none.
std::uint64_t begin() noexcept;
std::uint64_t end() noexcept;

}  // namespace assay::tick_counter
