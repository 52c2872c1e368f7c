// The smallest benchmark: one include, one function, ASSAY_MAIN().
#include <assay/assay.hpp>

#include <string>

static void join_words(benchmark::State& state) {
  for (auto _ : state) {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "word ";
    benchmark::DoNotOptimize(text);
  }
}
BENCHMARK(join_words);

ASSAY_MAIN();
