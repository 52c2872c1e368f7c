// Benchmarks that try the bridge: every kind of row, and names and figures that are hard
// to write as JSON. google_benchmark_test.cpp runs it and reads what it wrote.
#include <assay/assay.hpp>

#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

namespace {

void* kept(void* pointer) {
  asm volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

void allocates(benchmark::State& state) {
  for (auto _ : state) {
    for (int i = 0; i < 3; ++i) std::free(kept(std::malloc(100)));
  }
}
BENCHMARK(allocates);

void counts_exactly(benchmark::State& state) {
  const bool is_shared = state.threads() == 1;
  using Covers = assay::AllocationScope::Covers;
  const assay::AllocationScope scope(is_shared ? Covers::all_threads : Covers::this_thread);
  for (auto _ : state) {
    std::free(kept(std::realloc(kept(std::malloc(10)), 5000)));
  }
  assay::report_allocations(state, scope);
}
BENCHMARK(counts_exactly);
BENCHMARK(counts_exactly)->Threads(2);

void leaks(benchmark::State& state) {
  static auto& leaked = *new std::vector<void*>;  // reachable: no leak to LeakSanitizer
  leaked.reserve(1'000'000);
  const assay::AllocationScope scope;
  for (auto _ : state) leaked.push_back(std::malloc(1000));
  assay::report_allocations(state, scope);
}
BENCHMARK(leaks)->Iterations(100);

void allocates_nothing(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(allocates_nothing)->Iterations(100)->Repetitions(5);

void skips(benchmark::State& state) {
  state.SkipWithError("no \"device\"\x02\n");
  for (auto _ : state) {
  }
}
BENCHMARK(skips);

void odd_figures(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
  state.counters["nan"] = std::numeric_limits<double>::quiet_NaN();
  state.counters["inf"] = std::numeric_limits<double>::infinity();
  state.counters["odd \"name\"\x01"] = 5;
  state.SetLabel("label \\ \"quoted\"\x03");
}
BENCHMARK(odd_figures);

void endless_time(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(std::numeric_limits<double>::infinity());
}
BENCHMARK(endless_time)->UseManualTime()->Iterations(1);

void quadratic(benchmark::State& state) {
  for (auto _ : state) {
    for (int i = 0; i < state.range(0) * state.range(0); ++i) benchmark::DoNotOptimize(i);
  }
  state.SetComplexityN(state.range(0));
}
BENCHMARK(quadratic)->Arg(4)->Arg(8)->Arg(16)->Complexity();

void register_odd_names() {
  for (const char* const name :
       {"odd \"name\" \\ \x01\x1f\t", "odd \xff not UTF-8", "odd/\xc3\xbc<>"}) {
    benchmark::RegisterBenchmark(name, allocates_nothing);
  }
}
[[maybe_unused]] const bool registered = (register_odd_names(), true);

}  // namespace

ASSAY_MAIN();
