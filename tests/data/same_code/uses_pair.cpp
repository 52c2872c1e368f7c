// Uses a library's functions and data by their names only: see pair.cpp.
#include <benchmark/benchmark.h>

extern "C" {
int one(int);
int two(int);
extern const int low[4], high[4];
}

static void BM_pair(benchmark::State& state) {
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(one(two(++i)));
}
BENCHMARK(BM_pair);

static void BM_tables(benchmark::State& state) {
  int i = 0, sum = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(sum += low[++i & 3]);
    benchmark::DoNotOptimize(sum ^= high[i & 1]);
  }
}
BENCHMARK(BM_tables);

BENCHMARK_MAIN();
