// Purpose: times a block and records how long it took, when the block ends.
//
//   {
//     const assay::LatencyTiming timing(histogram);
//     work();
//   }
//
// Given the moment at which the work should have begun, the time it waited counts as well:
// see pacing.hpp. Units: ns. Errors: none. Thread safety: that of the histogram, one per thread.
// Cost to the measurement: two clock readings and a recording (docs/guides/latency.md), of
// which about one reading is part of the latency recorded.
#pragma once

#include <assay/measure/latency/latency_histogram.hpp>
#include <assay/system/tick_clock.hpp>

namespace assay {

class [[nodiscard]] LatencyTiming {
 public:
  /// Times from here until this object is destroyed.
  explicit LatencyTiming(LatencyHistogram& into,
                         const TickClock& clock = TickClock::of_this_host()) noexcept
      : into_(into), clock_(clock), began_(clock.begin()) {}

  /// Times from `intended_ns`, the moment at which the work should have begun, in ns of
  /// `clock.now_ns()`.
  LatencyTiming(LatencyHistogram& into, std::int64_t intended_ns,
                const TickClock& clock = TickClock::of_this_host()) noexcept
      : into_(into),
        clock_(clock),
        began_(clock.begin()),
        waited_ns_(clock.ns_between(0, began_) - intended_ns) {}

  ~LatencyTiming() { into_.record(clock_.ns_between(began_, clock_.end()) + waited_ns_); }

  LatencyTiming(const LatencyTiming&) = delete;
  LatencyTiming& operator=(const LatencyTiming&) = delete;

 private:
  LatencyHistogram& into_;
  const TickClock& clock_;
  std::uint64_t began_;
  std::int64_t waited_ns_{0};
};

}  // namespace assay
