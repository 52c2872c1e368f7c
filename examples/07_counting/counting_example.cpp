// What a loop costs besides time: events of the CPU and the kernel, and the allocations of a
// part of each iteration.
#include <assay/assay.hpp>

#include <numeric>
#include <string>
#include <vector>

static std::vector<int> make_input() {
  std::vector<int> numbers(1'000);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

/// As text: allocates now and then as the text grows.
static std::string joined(const std::vector<int>& numbers) {
  std::string text;
  for (const int number : numbers) text += std::to_string(number) + ' ';
  return text;
}

static void counts_events(benchmark::State& state) {
  const std::vector<int> numbers = make_input();
  assay::CounterScope counters(state, {"task-clock", "page-faults", "cycles"});
  for (auto _ : state) {
    std::string text = joined(numbers);
    benchmark::DoNotOptimize(text.data());
  }
  counters.stop();
}
BENCHMARK(counts_events);

static void counts_a_part(benchmark::State& state) {
  assay::AllocationMeter meter;
  for (auto _ : state) {
    const auto numbers = make_input();  // not counted
    const auto part = meter.part();     // counted, until the end of this block
    std::string text = joined(numbers);
    benchmark::DoNotOptimize(text.data());
  }
  assay::report_allocations(state, meter);
}
BENCHMARK(counts_a_part);

ASSAY_MAIN();
