// Plain Google Benchmark: loops whose allocations and system calls are known.
#include <benchmark/benchmark.h>

#include <csignal>
#include <cstdlib>
#include <thread>

namespace {

__attribute__((noinline)) void* block_of(std::size_t size) {
  void* const block = std::malloc(size);
  benchmark::DoNotOptimize(block);
  return block;
}

void known(benchmark::State& state) {
  void* const before = block_of(5000);  // set-up, which does not count for the loop
  for (auto _ : state) {
    void* block = block_of(100);
    block = std::realloc(block, 3000);
    benchmark::DoNotOptimize(block);
    std::free(block);
    auto* const number = new int(7);
    benchmark::DoNotOptimize(number);
    delete number;
    void* const zeroed = std::calloc(2, 50);
    benchmark::DoNotOptimize(zeroed);
    std::free(zeroed);
  }
  std::free(before);
}
BENCHMARK(known)->Iterations(40);

void nothing(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(nothing)->Iterations(40);

void keep_running(benchmark::State& state) {
  while (state.KeepRunning()) std::free(block_of(10));
}
BENCHMARK(keep_running)->Iterations(40);

/// What other threads do during the loop counts for it.
void helper(benchmark::State& state) {
  for (auto _ : state) std::thread([] { std::free(block_of(77)); }).join();
}
BENCHMARK(helper)->Iterations(10);

void dies(benchmark::State& state) {
  for (auto _ : state) {
    if (std::getenv("LOOP_DIES") != nullptr) std::raise(SIGTRAP);
  }
}
BENCHMARK(dies)->Iterations(2);

}  // namespace

BENCHMARK_MAIN();
