// One benchmark source, linked with either version of the library.
#include "words.h"

#include <assay/assay.hpp>

#include <cstdlib>
#include <cstring>
#include <vector>

static void joins_words(benchmark::State& state) {
  const std::vector<const char*> words(static_cast<std::size_t>(state.range(0)), "word");
  for (auto _ : state) {
    char* text = join_words(words.data(), words.size());
    if (text == nullptr || std::strlen(text) != 5 * words.size() - 1) {
      state.SkipWithError("the words were joined wrongly");
      std::free(text);
      break;
    }
    benchmark::DoNotOptimize(text);
    std::free(text);
  }
}
BENCHMARK(joins_words)->Arg(4)->Arg(64);

ASSAY_MAIN();
