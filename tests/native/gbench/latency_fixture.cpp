// Benchmarks that record latencies, in every way a benchmark can.
// google_benchmark_latency_test.cpp and the Python tests run it.
#include <assay/assay.hpp>

#include <cstdint>

namespace {

/// 1, 2, ... 1000 ns, over and over: distributions known beforehand.
void known(benchmark::State& state) {
  assay::LatencyRecorder latency(state, "latency");
  std::int64_t value = 0;
  for (auto _ : state) {
    latency.record(value % 1000 + 1);
    ++value;
  }
}
BENCHMARK(known)->Iterations(10'000);

void in_threads(benchmark::State& state) {
  assay::LatencyRecorder latency(state, "latency");
  for (auto _ : state) latency.record(100 * (state.thread_index() + 1));
}
BENCHMARK(in_threads)->Iterations(1000)->Threads(2);

void repeated(benchmark::State& state) {
  static std::int64_t level = 0;
  ++level;
  assay::LatencyRecorder latency(state, "latency");
  for (auto _ : state) latency.record(level * 100);
}
BENCHMARK(repeated)->Iterations(10)->Repetitions(3);

void two_names(benchmark::State& state) {
  assay::LatencyRecorder reads(state, "read");
  assay::LatencyRecorder writes(state, "write");
  for (auto _ : state) {
    reads.record(5);
    writes.record(-5);
  }
}
BENCHMARK(two_names)->Iterations(10);

void timed(benchmark::State& state) {
  assay::LatencyRecorder latency(state, "latency");
  for (auto _ : state) {
    const auto timing = latency.time();
    for (int i = 0; i < 1000; ++i) benchmark::DoNotOptimize(i);
  }
}
BENCHMARK(timed)->MinTime(0.01);

void paced(benchmark::State& state) {
  assay::LatencyRecorder latency(state, "latency");
  assay::Pacer pacer(assay::Arrivals::per_second(100'000));
  for (auto _ : state) {
    const auto timing = latency.time_from(pacer.wait());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(paced)->Iterations(1000)->UseRealTime();

void skips(benchmark::State& state) {
  assay::LatencyRecorder latency(state, "latency");
  state.SkipWithError("on purpose");
  for (auto _ : state) latency.record(1);
}
BENCHMARK(skips);

void records_nothing(benchmark::State& state) {
  const assay::LatencyRecorder latency(state, "latency");
  for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(records_nothing)->Iterations(10);

}  // namespace

ASSAY_MAIN();
