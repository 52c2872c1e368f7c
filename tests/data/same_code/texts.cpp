// A `switch` of which clang makes a table of distances to texts, and a table of numbers.
#include <benchmark/benchmark.h>

#ifndef FOURTH
#define FOURTH "four"
#endif
#ifndef NUMBER
#define NUMBER 7
#endif

__attribute__((noinline)) const char* text_of(unsigned number) {
  switch (number) {
    case 0:
      return "one";
    case 1:
      return "two";
    case 2:
      return "three";
    case 3:
      return FOURTH;
    case 4:
      return "five";
    default:
      return "many";
  }
}

static void BM_text(benchmark::State& state) {
  unsigned i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(text_of(++i & 7)[1]);
}
BENCHMARK(BM_text);

static const int kNumbers[8] = {3, 1, 4, NUMBER, 5, 9, 2, 6};
static void BM_number(benchmark::State& state) {
  int i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(kNumbers[++i & 7]);
}
BENCHMARK(BM_number);

#ifdef MORE
// Never called: what follows lies elsewhere with it.
__attribute__((used)) int never_called(int x) {
  const char* volatile texts[] = {"some", "more", "texts", "that", "move", "others"};
  return texts[x % 6][1] * x;
}
#endif

BENCHMARK_MAIN();
