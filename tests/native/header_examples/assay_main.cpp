// The example of assay.hpp and of gbench/google_benchmark.hpp, line for line
// (tools/header_examples.py): a program of its own.
#include <assay/assay.hpp>

namespace {
void do_it() {}
}  // namespace

static void work(benchmark::State& state) {
  for (auto _ : state) do_it();
}
BENCHMARK(work);
ASSAY_MAIN();
