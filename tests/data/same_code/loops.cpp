// One benchmark for each way in which two sides may differ: see parts.cpp.
#include <benchmark/benchmark.h>

#include <vector>

struct Shape;
int by_constant(int);
int by_table(int);
unsigned by_word(int);
unsigned by_weight(int);
int by_counter(int);
int by_switch(int);
int by_rare(int);
int by_steps(int);
int from_file();
Shape* new_shape();
int area(const Shape&, int);
std::vector<int> filled_in_order();

#define SIMPLE(NAME)                                               \
  static void BM_##NAME(benchmark::State& state) {                 \
    int i = 0;                                                     \
    for (auto _ : state) benchmark::DoNotOptimize(by_##NAME(++i)); \
  }                                                                \
  BENCHMARK(BM_##NAME)

SIMPLE(constant);
SIMPLE(table);
SIMPLE(word);
SIMPLE(weight);
SIMPLE(counter);
SIMPLE(switch);
SIMPLE(rare);
SIMPLE(steps);

static void BM_virtual(benchmark::State& state) {
  const Shape* shape = new_shape();
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(area(*shape, ++i));
}
BENCHMARK(BM_virtual);

static void BM_order(benchmark::State& state) {
  const auto made = filled_in_order();
  for (auto _ : state)
    for (int one : made) benchmark::DoNotOptimize(one);
}
BENCHMARK(BM_order);

static void BM_input(benchmark::State& state) {
  const int sum = from_file();
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(sum + ++i);
}
BENCHMARK(BM_input);

BENCHMARK_MAIN();
