// At least twenty benchmarks of the kinds people write, each between 1 and 300 us an
// iteration, all through `repeat`.
#include "judge_power_work.hpp"

#include <assay/assay.hpp>

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>

namespace {

using benchmark::DoNotOptimize;
using benchmark::State;

// ---- hashing ---------------------------------------------------------------------------

template <std::size_t size>
void hash_fnv1a(State& state) {
  const std::string text(size, 'x');
  repeat(state, 1, [&text](int /*i*/) { DoNotOptimize(fnv1a(text.data(), text.size())); });
}
BENCHMARK_TEMPLATE(hash_fnv1a, 16);
BENCHMARK_TEMPLATE(hash_fnv1a, 256);

void hash_std_string(State& state) {
  const std::string text(64, 'x');
  repeat(state, 2, [&text](int /*i*/) {
    DoNotOptimize(std::hash<std::string_view>{}(std::string_view(text)));
  });
}
BENCHMARK(hash_std_string);

void hash_splitmix(State& state) {
  assay::SplitMix mix(1);
  repeat(state, 20, [&mix](int /*i*/) { DoNotOptimize(mix.next()); });
}
BENCHMARK(hash_splitmix);

// ---- pointer chasing -------------------------------------------------------------------

template <std::size_t kib>
void chase(State& state) {
  static const std::vector<Stop> stops = random_cycle(kib * 1024);
  std::uint32_t at = 0;
  repeat(state, kib > 1024 ? 1 : 10, [&at](int /*i*/) { at = stops[at].next; });
  DoNotOptimize(at);
}
BENCHMARK_TEMPLATE(chase, 16);
BENCHMARK_TEMPLATE(chase, 512);
BENCHMARK_TEMPLATE(chase, 65536);

// ---- allocation ------------------------------------------------------------------------

template <std::size_t size>
void malloc_free(State& state) {
  repeat(state, 2, [](int /*i*/) {
    void* block = std::malloc(size);
    DoNotOptimize(block);
    std::free(block);
  });
}
BENCHMARK_TEMPLATE(malloc_free, 64);
BENCHMARK_TEMPLATE(malloc_free, 4096);

void malloc_batch(State& state) {
  repeat(state, 1, [](int /*i*/) {
    std::array<void*, 8> blocks{};
    std::size_t size = 24;
    for (void*& block : blocks) block = std::malloc(size += 40);
    DoNotOptimize(blocks);
    for (void* block : blocks) std::free(block);
  });
}
BENCHMARK(malloc_batch);

// ---- system ----------------------------------------------------------------------------

void getpid_system_call(State& state) {
  repeat(state, 1, [](int /*i*/) { DoNotOptimize(syscall(SYS_getpid)); });
}
BENCHMARK(getpid_system_call);

void read_clock(State& state) {
  repeat(state, 1, [](int /*i*/) { DoNotOptimize(assay::now_ns()); });
}
BENCHMARK(read_clock);

// ---- sorting ---------------------------------------------------------------------------

template <std::size_t count>
void sort(State& state) {
  const std::vector<std::uint32_t> numbers = random_numbers(count);
  std::vector<std::uint32_t> sorted(count);
  repeat(state, 1, [&](int /*i*/) {
    std::copy(numbers.begin(), numbers.end(), sorted.begin());
    std::sort(sorted.begin(), sorted.end());
    DoNotOptimize(sorted.data());
  });
}
BENCHMARK_TEMPLATE(sort, 16);
BENCHMARK_TEMPLATE(sort, 64);

// ---- maps ------------------------------------------------------------------------------

template <class Map>
void lookup(State& state) {
  const std::vector<std::uint32_t> keys = random_numbers(1000);
  Map map;
  for (const std::uint32_t key : keys) map[key] = 1;
  repeat(state, 4, [&](int i) {
    DoNotOptimize(map.find(keys[static_cast<std::size_t>(i) * 7 % keys.size()]));
  });
}
using TreeMap = std::map<std::uint32_t, int>;
using HashMap = std::unordered_map<std::uint32_t, int>;
BENCHMARK_TEMPLATE(lookup, TreeMap);
BENCHMARK_TEMPLATE(lookup, HashMap);

void map_insert_erase(State& state) {
  TreeMap map;
  for (const std::uint32_t key : random_numbers(1000)) map[key] = 1;
  repeat(state, 1, [&map](int /*i*/) { map.erase(map.emplace(12345U, 1).first); });
}
BENCHMARK(map_insert_erase);

// ---- memory ----------------------------------------------------------------------------

template <std::size_t size>
void copy_memory(State& state) {
  const std::vector<char> from(size, 'x');
  std::vector<char> to(size);
  repeat(state, size > 1024 ? 1 : 5, [&](int /*i*/) {
    std::memcpy(to.data(), from.data(), size);
    DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  });
}
BENCHMARK_TEMPLATE(copy_memory, 256);
BENCHMARK_TEMPLATE(copy_memory, 16384);

void sum_numbers(State& state) {
  const std::vector<std::uint32_t> numbers = random_numbers(1000);
  repeat(state, 1, [&numbers](int /*i*/) {
    std::uint64_t sum = 0;
    for (const std::uint32_t number : numbers) sum += number;
    DoNotOptimize(sum);
  });
}
BENCHMARK(sum_numbers);

void branch_on_data(State& state) {
  const std::vector<std::uint32_t> numbers = random_numbers(256);
  repeat(state, 1, [&numbers](int /*i*/) { DoNotOptimize(count_branching(numbers)); });
}
BENCHMARK(branch_on_data);

void divide(State& state) {
  volatile std::uint64_t divisor = 3;
  std::uint64_t value = ~std::uint64_t{0};
  repeat(state, 4, [&](int /*i*/) { DoNotOptimize(value = value / divisor + (value << 1U)); });
}
BENCHMARK(divide);

// ---- strings ---------------------------------------------------------------------------

void build_string(State& state) {
  repeat(state, 1, [](int /*i*/) {
    std::string text;
    for (int word = 0; word < 8; ++word) text += "some words ";
    DoNotOptimize(text.data());
  });
}
BENCHMARK(build_string);

void format_number(State& state) {
  std::array<char, 32> buffer{};
  repeat(state, 1, [&buffer](int i) {
    std::snprintf(buffer.data(), buffer.size(), "%d of %d", 1000 + i % 100, 7777);
    DoNotOptimize(buffer.data());
  });
}
BENCHMARK(format_number);

void find_in_text(State& state) {
  const std::string text = std::string(200, 'a') + "needle";
  repeat(state, 4, [&text](int /*i*/) { DoNotOptimize(text.find("needle")); });
}
BENCHMARK(find_in_text);

}  // namespace

ASSAY_MAIN();
