// As in setups.cpp, but for the engine: it keeps what a function of the user's gave it.
#include <benchmark/benchmark.h>

#ifndef LISTING
#define LISTING 13
#endif

// A function of the user's registers a benchmark and gives it a number.
__attribute__((noinline)) bool lists_all() {
  benchmark::RegisterBenchmark("BM_listing", [times = LISTING](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(times);
  });
  return true;
}
static const bool listed_all = lists_all();
