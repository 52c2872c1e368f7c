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
// Thread safety: one in each thread of the benchmark. Give `Measured::new_threads` when the
// loop's helpers are threads started after it was made: their counters then are included.
// Cost to the measurement: none inside the loop, but for 4 ns a malloc/free pair
// (allocation_scope.hpp) and 100-200 ns a context switch.
#pragma once

#include <assay/gbench/counter_scope.hpp>
#include <assay/measure/allocations/allocation_scope.hpp>

#include <benchmark/benchmark.h>

#include <cstdint>

namespace assay::suites {

/// What one iteration does.
struct Work {
  std::int64_t items = 1;
  std::int64_t bytes = 0;  // 0: not worth saying
};

class Measured {
 public:
  explicit Measured(benchmark::State& state,
                    PerfGroup::Covers covers = PerfGroup::Covers::this_thread);

  /// After the loop and before any teardown.
  void done(Work each);

  static constexpr auto new_threads = with_new_threads;

 private:
  benchmark::State& state_;
  CounterScope counters_;  // first: opening them allocates
  AllocationScope allocations_;
};

}  // namespace assay::suites
