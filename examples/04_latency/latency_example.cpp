// A queue that is copied to twice its size now and then: the mean does not show it, the
// tail does. And the same load at a fixed rate, where a stall counts for all who waited.
#include <assay/assay.hpp>

#include <vector>

/// Appends; every so often all that is there moves.
static void append(std::vector<int>& numbers) {
  if (numbers.size() == 1'000'000) numbers = {};
  numbers.push_back(1);
  benchmark::DoNotOptimize(numbers.data());
}

static void closed_loop(benchmark::State& state) {
  assay::LatencyRecorder latency(state, "latency");
  std::vector<int> numbers;
  for (auto _ : state) {
    const auto timing = latency.time();
    append(numbers);
  }
}
BENCHMARK(closed_loop);

static void open_loop(benchmark::State& state) {
  assay::LatencyRecorder latency(state, "latency");
  assay::Pacer pacer(assay::Arrivals::poisson(1'000, 1729));  // a million a second
  std::vector<int> numbers;
  for (auto _ : state) {
    const auto timing = latency.time_from(pacer.wait());
    append(numbers);
  }
}
BENCHMARK(open_loop)->UseRealTime();

ASSAY_MAIN();
