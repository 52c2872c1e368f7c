#include "checksum.h"

#include <assay/assay.hpp>

#include <vector>

static void hashes_bytes(benchmark::State& state) {
  const std::vector<unsigned char> bytes(static_cast<std::size_t>(state.range(0)), 7);
  for (auto _ : state) benchmark::DoNotOptimize(checksum(bytes.data(), bytes.size()));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(hashes_bytes)->Arg(1000);

ASSAY_MAIN();
