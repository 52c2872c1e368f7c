// Purpose: the monotonic clock, and how fine and how costly it is on this host.
//
//   const std::int64_t start = assay::now_ns();
//   work();
//   const std::int64_t took_ns = assay::now_ns() - start;
//
// Units: nanoseconds. Errors: none. Thread safety: any thread.
// Cost: one clock_gettime through the vDSO, 20 to 40 ns where the kernel can
// serve it from user space (measure_clock() says what it is here).
#pragma once

#include <cstdint>
#include <functional>

namespace assay {

/// CLOCK_MONOTONIC, in nanoseconds from some moment in the past: it never goes back. NTP changes
/// its speed slightly, but does not make it jump.
std::int64_t now_ns();

struct ClockQuality {
  std::int64_t resolution_ns{0};  // smallest step seen between two readings; 0: it never moved
  double cost_ns{0};              // time one reading takes
};

/// Reads the clock 10,000 times, in 20 rounds, and gives the best figures: less than 1 ms where a
/// reading takes under 100 ns. The clock is a parameter so that tests can pass one of their own.
ClockQuality measure_clock(const std::function<std::int64_t()>& clock = now_ns);

}  // namespace assay
