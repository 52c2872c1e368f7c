// Benchmarks that count events and parts of their loops: google_benchmark_test.cpp runs them.
#include <assay/assay.hpp>

#include <cstdlib>

namespace {

void* kept(void* pointer) {
  asm volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

void counts_a_part(benchmark::State& state) {
  assay::AllocationMeter meter;
  for (auto _ : state) {
    std::free(kept(std::malloc(1000)));
    const auto part = meter.part();
    std::free(kept(std::malloc(10)));
  }
  assay::report_allocations(state, meter);
}
BENCHMARK(counts_a_part)->Threads(2);

void counts_events(benchmark::State& state) {
  assay::CounterScope counters(state, {"task-clock", "page-faults", "cycles", "no-such-counter"});
  for (auto _ : state) benchmark::ClobberMemory();
  counters.stop();
}
BENCHMARK(counts_events);
BENCHMARK(counts_events)->Threads(2);

}  // namespace

ASSAY_MAIN();
