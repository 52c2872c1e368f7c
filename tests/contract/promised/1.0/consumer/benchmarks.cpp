// Benchmarks as they were written for 1.0: times, latencies, counters and allocations of a loop.
#include <assay/assay.hpp>
#include <assay/gbench/counter_scope.hpp>
#include <assay/gbench/google_benchmark.hpp>
#include <assay/gbench/latency_recorder.hpp>

#include <memory>

extern "C" unsigned work(unsigned from);

static void BM_work(benchmark::State& state) {
  unsigned last = 1;
  for (auto _ : state) benchmark::DoNotOptimize(last = work(last));
}
BENCHMARK(BM_work);

static void BM_counted(benchmark::State& state) {
  assay::CounterScope counters(state, {"page-faults"});
  for (auto _ : state) benchmark::DoNotOptimize(work(2));
  counters.stop();
}
BENCHMARK(BM_counted);

static void BM_latencies(benchmark::State& state) {
  assay::LatencyRecorder latencies(state, "latency");
  for (auto _ : state) {
    const auto timing = latencies.time();
    benchmark::DoNotOptimize(work(3));
  }
  latencies.record(17);
}
BENCHMARK(BM_latencies);

static void BM_allocations(benchmark::State& state) {
  const assay::AllocationScope scope(assay::AllocationScope::Covers::this_thread);
  for (auto _ : state) benchmark::DoNotOptimize(std::make_unique<unsigned>(work(4)));
  assay::report_allocations(state, scope);
}
BENCHMARK(BM_allocations);

ASSAY_MAIN();
