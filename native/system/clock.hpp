// Purpose: the monotonic clock, and what it can and cannot tell apart on this host.
//
//   const std::int64_t start = assay::now_ns();
//   work();
//   const std::int64_t took_ns = assay::now_ns() - start;
//
// Thread safety: any thread. Cost: one clock_gettime through the vDSO, 20 to 40 ns where
// the kernel can serve it from user space (measure_clock() says what it is here).
#pragma once

#include <cstdint>
#include <functional>

namespace assay {

/// CLOCK_MONOTONIC: steady, slewed by NTP, not stopped by it.
std::int64_t now_ns();

struct ClockQuality {
  std::int64_t resolution_ns{0};  // smallest step seen between two different readings
  double cost_ns{0};              // time one reading takes
};

/// Reads the clock until the figures settle: about 1 ms. The clock is a parameter so
/// that the arithmetic can be tested with one that ticks as told.
ClockQuality measure_clock(const std::function<std::int64_t()>& clock = now_ns);

}  // namespace assay
