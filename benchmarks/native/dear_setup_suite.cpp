// Twenty benchmarks, two of which build a table before their loop, in about half a second:
// what a comparison has to bear without starving the other eighteen. All through `repeat`.
#include "judge_power_work.hpp"

#include <assay/assay.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <numeric>
#include <unordered_map>

namespace {

using benchmark::DoNotOptimize;
using benchmark::State;

// ---- the two that are dear to set up -----------------------------------------------------

constexpr std::size_t looked_up = 1024;  // keys: so few that the caches hold what they lead to

void dear_hash_table(State& state) {
  const std::vector<std::uint32_t> keys = random_numbers(500'000);
  std::unordered_map<std::uint32_t, int> table;
  for (const std::uint32_t key : keys) table.emplace(key, 1);
  repeat(state, 1,
         [&](int i) { DoNotOptimize(table.find(keys[static_cast<std::size_t>(i) % looked_up])); });
}
BENCHMARK(dear_hash_table);

void dear_sorted_table(State& state) {
  const std::vector<std::uint32_t> keys = random_numbers(4'000'000);
  std::vector<std::uint32_t> table = keys;
  std::sort(table.begin(), table.end());
  repeat(state, 1, [&](int i) {
    const std::uint32_t key = keys[static_cast<std::size_t>(i) % looked_up];
    DoNotOptimize(*std::lower_bound(table.begin(), table.end(), key));
  });
}
BENCHMARK(dear_sorted_table);

// ---- eighteen that are not ---------------------------------------------------------------

template <std::size_t size>
void hash(State& state) {
  const std::string text(size, 'x');
  repeat(state, 1, [&text](int /*i*/) { DoNotOptimize(fnv1a(text.data(), text.size())); });
}
BENCHMARK_TEMPLATE(hash, 16);
BENCHMARK_TEMPLATE(hash, 64);
BENCHMARK_TEMPLATE(hash, 256);

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
BENCHMARK_TEMPLATE(sort, 32);
BENCHMARK_TEMPLATE(sort, 64);

template <std::size_t count>
void sum(State& state) {
  const std::vector<std::uint32_t> numbers = random_numbers(count);
  repeat(state, 1, [&numbers](int /*i*/) {
    DoNotOptimize(std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}));
  });
}
BENCHMARK_TEMPLATE(sum, 256);
BENCHMARK_TEMPLATE(sum, 1024);
BENCHMARK_TEMPLATE(sum, 4096);

template <std::size_t count>
void branch(State& state) {
  const std::vector<std::uint32_t> numbers = random_numbers(count);
  repeat(state, 1, [&numbers](int /*i*/) { DoNotOptimize(count_branching(numbers)); });
}
BENCHMARK_TEMPLATE(branch, 64);
BENCHMARK_TEMPLATE(branch, 256);

template <std::size_t kib>
void chase(State& state) {
  const std::vector<Stop> stops = random_cycle(kib * 1024);
  std::uint32_t at = 0;
  repeat(state, 10, [&](int /*i*/) { at = stops[at].next; });
  DoNotOptimize(at);
}
BENCHMARK_TEMPLATE(chase, 8);
BENCHMARK_TEMPLATE(chase, 16);

template <std::size_t count>
void tree(State& state) {
  const std::vector<std::uint32_t> keys = random_numbers(count);
  std::map<std::uint32_t, int> map;
  for (const std::uint32_t key : keys) map[key] = 1;
  repeat(state, 2,
         [&](int i) { DoNotOptimize(map.find(keys[static_cast<std::size_t>(i) * 7 % count])); });
}
BENCHMARK_TEMPLATE(tree, 100);
BENCHMARK_TEMPLATE(tree, 1000);

void divide(State& state) {
  volatile std::uint64_t divisor = 3;
  std::uint64_t value = ~std::uint64_t{0};
  repeat(state, 4, [&](int /*i*/) { DoNotOptimize(value = value / divisor + (value << 1U)); });
}
BENCHMARK(divide);

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
