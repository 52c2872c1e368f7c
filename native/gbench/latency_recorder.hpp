// Purpose: how long each iteration of a benchmark took, not only all of them together.
//
//   static void lookup(benchmark::State& state) {
//     assay::LatencyRecorder latency(state, "latency");
//     for (auto _ : state) {
//       const auto timing = latency.time();
//       look_up();
//     }
//   }
//
// When it is destroyed, before the state is, the benchmark gets the counters p50, p90, p99, p99.9,
// p99.99, p99.999 and max, in nanoseconds, and its row in the JSON the whole distribution as
// `assay.histograms.latency`. Under any other name the counters are p50_NAME ... max_latency_NAME.
// In a benchmark with threads each makes its own, under the same name: they are merged, and every
// iteration of every thread counts once.
//
// Thread safety: one per thread; nothing is shared until the loop is over. Make it before the
// loop. Cost to the measurement: two clock readings an iteration (docs/guides/latency.md says
// what that is), which are part of the row's real_time; about one is part of each latency.
// Errors: none; a latency below 1 ns or above 1 h is counted as the nearest of these.
#pragma once

#include <assay/measure/latency/latency_timing.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>

namespace assay {

class LatencyRecorder {
 public:
  /// `name` must outlive the recorder: give a literal.
  LatencyRecorder(benchmark::State& state, const char* name);
  ~LatencyRecorder();
  LatencyRecorder(const LatencyRecorder&) = delete;
  LatencyRecorder& operator=(const LatencyRecorder&) = delete;

  /// Times from here to the end of the block in which the result is kept.
  LatencyTiming time() noexcept { return LatencyTiming(histogram_, clock_); }

  /// Times from the moment when the work was meant to begin, which Pacer::wait() returned.
  LatencyTiming time_from(std::int64_t intended_ns) noexcept {
    return {histogram_, intended_ns, clock_};
  }

  /// Records a latency, in nanoseconds, that was measured otherwise.
  void record(std::int64_t took_ns) noexcept { histogram_.record(took_ns); }

 private:
  benchmark::State& state_;
  const char* name_;
  const TickClock& clock_;
  LatencyHistogram histogram_;
};

}  // namespace assay
