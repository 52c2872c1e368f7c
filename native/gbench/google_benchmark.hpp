// Purpose: the bridge to Google Benchmark: ASSAY_MAIN() in place of BENCHMARK_MAIN().
//
//   #include <assay/assay.hpp>
//
//   static void work(benchmark::State& state) {
//     for (auto _ : state) do_it();
//   }
//   BENCHMARK(work);
//   ASSAY_MAIN();
//
// Every --benchmark_* flag works as with BENCHMARK_MAIN(). JSON, on stdout and in
// --benchmark_out, additionally carries our `assay` objects; the console shows
// allocations. They come from the library's memory pass: up to 16 more iterations of each
// benchmark, untimed, in one thread, its set-up included. For the timed loop alone use
// report_allocations(). --assay_memory_pass=off or ASSAY_MEMORY_PASS=off leaves the pass
// out, as a benchmark whose threads wait for each other must (the library runs it with one
// thread alone).
//
// Thread safety: as Google Benchmark: main thread only; report_allocations() in the
// thread that the state belongs to.
//
// Cost to the measurement: none inside the timed loop. About 5 ms before the first one.
#pragma once

#include <assay/measure/allocations/allocation_meter.hpp>
#include <assay/measure/allocations/allocation_scope.hpp>
#include <assay/record/build_facts.hpp>

#include <benchmark/benchmark.h>

namespace assay {

/// Sets the counters CallsToAlloc, CallsToRealloc, CallsToFree, MemoryAllocated and
/// MemoryFreed, each per iteration, from what the scope saw. They are exact: the whole
/// timed loop is counted. Where nothing is counted they are left out, not set to 0.
void report_allocations(benchmark::State& state, const AllocationScope& scope);

/// Sets those five counters from what the meter counted: the marked parts of the loop, in the
/// thread that made the meter.
void report_allocations(benchmark::State& state, const AllocationMeter& meter);

/// What ASSAY_MAIN() calls. Returns main's exit code: 0, or 1 where a flag is unknown or a
/// benchmark throws (the results before it are kept).
int run_benchmarks(int argc, char** argv, const BuildFacts& build);

}  // namespace assay

/// Defines main(), in one source file of the executable.
#define ASSAY_MAIN()                                               \
  int main(int argc, char** argv) {                                \
    return ::assay::run_benchmarks(argc, argv, ASSAY_BUILD_FACTS); \
  }                                                                \
  int main(int, char**)
