// Purpose: what each benchmark of a suite reports beside its time: items and bytes a second,
// allocations of the loop (exact), context switches, page faults, and instructions and
// cycles where the host shows them.
//
//   void bench_copy(benchmark::State& state) {
//     prepare();
//     Measured measured(state);
//     for (auto _ : state) copy();
//     measured.done(Work{.items = 1});
//   }
//
// Thread safety: one in each thread of the benchmark. Give `Measured::new_threads` where the loop
// uses threads that are started after this was made: then their counters are included.
// Cost to the measurement: none inside the loop, except for 4 ns for each pair of malloc and free
// (allocation_scope.hpp) and 100-200 ns for each context switch.
#pragma once

#include <assay/gbench/counter_scope.hpp>
#include <assay/measure/allocations/allocation_scope.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>

namespace assay::primitives {

/// How many items and bytes one iteration processes.
struct Work {
  std::int64_t items = 1;
  std::int64_t bytes = 0;  // 0: bytes a second are not reported
};

class Measured {
 public:
  explicit Measured(benchmark::State& state,
                    PerfGroup::Covers covers = PerfGroup::Covers::this_thread);

  /// Reports the counters and rates. Call it after the loop and before anything is destroyed.
  void done(Work each);

  static constexpr auto new_threads = with_new_threads;

 private:
  benchmark::State& state_;
  // Constructed before allocations_, because opening counters allocates.
  CounterScope counters_;
  AllocationScope allocations_;
};

}  // namespace assay::primitives
