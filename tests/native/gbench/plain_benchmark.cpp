// Benchmarks of mixed kinds on plain Google Benchmark: what someone else's executable
// looks like to us. Includes names with any characters.
#include <benchmark/benchmark.h>

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

std::uint64_t fnv1a(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  return hash;
}

void hash_fnv1a(benchmark::State& state) {
  const std::string text(static_cast<std::size_t>(state.range(0)), 'x');
  for (auto _ : state) benchmark::DoNotOptimize(fnv1a(text));
  state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(hash_fnv1a)->Arg(16)->Arg(1024);

void hash_std(benchmark::State& state) {
  const std::string text(256, 'x');
  for (auto _ : state) benchmark::DoNotOptimize(std::hash<std::string>{}(text));
}
BENCHMARK(hash_std);

/// One cycle through all slots, in random order: every load waits for the one before.
std::vector<std::uint32_t> random_cycle(std::size_t slots) {
  std::vector<std::uint32_t> order(slots);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), std::mt19937_64(1729));
  std::vector<std::uint32_t> next(slots);
  for (std::size_t i = 0; i < slots; ++i) next[order[i]] = order[(i + 1) % slots];
  return next;
}

void pointer_chase(benchmark::State& state) {
  const auto next = random_cycle(static_cast<std::size_t>(state.range(0)) / sizeof(std::uint32_t));
  std::uint32_t at = 0;
  for (auto _ : state) {
    for (int i = 0; i < 100; ++i) at = next[at];
    benchmark::DoNotOptimize(at);
  }
}
BENCHMARK(pointer_chase)->Arg(16 << 10)->Arg(16 << 20);

void malloc_free(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    void* block = std::malloc(size);
    benchmark::DoNotOptimize(block);
    std::free(block);
  }
}
BENCHMARK(malloc_free)->Arg(32)->Arg(4096);

void getpid_syscall(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(syscall(SYS_getpid));
}
BENCHMARK(getpid_syscall);

void sort_random(benchmark::State& state) {
  std::vector<std::uint32_t> numbers(1000);
  std::mt19937 random(1729);
  std::generate(numbers.begin(), numbers.end(), random);
  for (auto _ : state) {
    auto sorted = numbers;
    std::sort(sorted.begin(), sorted.end());
    benchmark::DoNotOptimize(sorted.data());
  }
  state.SetItemsProcessed(state.iterations() * 1000);
}
BENCHMARK(sort_random)->Unit(benchmark::kMicrosecond);

template <class Map>
void map_lookup(benchmark::State& state) {
  Map map;
  for (int i = 0; i < 1000; ++i) map[i * 7] = i;
  int key = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(map.find(key));
    key = (key + 7) % 7000;
  }
}
BENCHMARK_TEMPLATE(map_lookup, std::map<int, int>);
BENCHMARK_TEMPLATE(map_lookup, std::unordered_map<int, int>);

void copy_memory(benchmark::State& state) {
  const std::vector<char> from(static_cast<std::size_t>(state.range(0)), 'x');
  std::vector<char> to(from.size());
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), from.size());
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  }
}
BENCHMARK(copy_memory)->Arg(256)->Arg(1 << 20);

void build_string(benchmark::State& state) {
  for (auto _ : state) {
    std::string text;
    for (int i = 0; i < 64; ++i) text += "some words ";
    benchmark::DoNotOptimize(text.data());
  }
}
BENCHMARK(build_string);

void user_counters(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(state.iterations());
  state.counters["answer"] = 42;
  state.counters["rate"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  state.SetLabel("a label with \"quotes\"");
}
BENCHMARK(user_counters);

void spin(benchmark::State& state) {
  for (auto _ : state) {
    for (std::uint32_t i = 0; i < 200; ++i) benchmark::DoNotOptimize(i);
  }
}
BENCHMARK(spin)->Threads(2)->UseRealTime();
BENCHMARK(spin)->Name("spin_real_time")->UseRealTime();

void register_odd_names() {
  for (const char* const name :
       {"odd<int, \"quoted\">", "odd/with:colons/and spaces", "odd[brackets]{braces}(parens)",
        "odd\\back\\slash", "odd/\xc3\xbc\x6d\x6c\xc3\xa4ut/\xe6\xb8\xac\xe5\xae\x9a",
        "odd 50%, $HOME 'n' `ticks` * ? + ^ |"}) {
    benchmark::RegisterBenchmark(name, spin);
  }
}

}  // namespace

int main(int argc, char** argv) {
  register_odd_names();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
