// An unchanged Google Benchmark source: no header and no main of assay's.
#include "text.hpp"

#include <benchmark/benchmark.h>

static_assert(__cplusplus >= 202002L, "assay::assay asks for C++20");

static void text(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(upper("some words"));
}
BENCHMARK(text)->Name("text a;b");
BENCHMARK(text)->Name("text filtered out");

BENCHMARK_MAIN();
