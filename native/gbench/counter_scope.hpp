// Purpose: CPU and kernel counters of a benchmark's loop, per iteration, in its row.
//
//   static void work(benchmark::State& state) {
//     assay::CounterScope counters(state, {"cycles", "instructions", "page-faults"});
//     for (auto _ : state) do_it();
//     counters.stop();                    // or let it end with the function
//   }
//
// Names are those of counter_event.hpp, and dram-read-bytes, dram-write-bytes,
// pmem-read-bytes, pmem-write-bytes of the whole host (memory_traffic.hpp; one thread's
// scope counts these). A counter the host refuses has no key in the row: `assay.unavailable`
// there says why, and the console shows "not available". Units: counts per iteration, or bytes
// where the name ends so, or ns (task-clock).
//
// Thread safety: make one in each thread of the benchmark; it counts that thread, and the
// row shows the sum over threads. With `with_new_threads` threads started inside the loop
// count, too.
//
// Cost to the measurement: none inside the loop, but for context switches (100-200 ns).
// Between making the scope and the loop's start a thread may wait for the others: its
// context switches then are counted.
#pragma once

#include <assay/measure/counters/memory_traffic.hpp>
#include <assay/measure/counters/perf_group.hpp>

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace assay {

class CounterScope {
 public:
  CounterScope(benchmark::State& state, const std::vector<std::string>& names,
               PerfGroup::Covers covers = PerfGroup::Covers::this_thread);
  ~CounterScope();
  CounterScope(const CounterScope&) = delete;
  CounterScope& operator=(const CounterScope&) = delete;

  /// Ends counting before the scope's end, as before a teardown that should not count.
  void stop();

 private:
  void report(const std::vector<CounterValue>& values, const std::vector<std::string>& reasons);

  benchmark::State& state_;
  PerfGroup group_;
  MemoryTraffic traffic_;
  bool has_stopped_{false};
};

/// For the third argument: threads that are started inside the loop count as well.
inline constexpr auto with_new_threads = PerfGroup::Covers::this_thread_and_new;

}  // namespace assay
