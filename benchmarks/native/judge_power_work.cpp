#include "judge_power_work.hpp"

#include <assay/base/random.hpp>

#include <algorithm>
#include <numeric>

namespace {
constexpr std::uint64_t seed = 1729;
}

std::vector<Stop> random_cycle(std::size_t bytes) {
  std::vector<std::uint32_t> order(bytes / sizeof(Stop));
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), assay::Random(seed));
  std::vector<Stop> stops(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    stops[order[i]].next = order[(i + 1) % order.size()];
  }
  return stops;
}

std::vector<std::uint32_t> random_numbers(std::size_t count) {
  assay::Random random(seed);
  std::vector<std::uint32_t> numbers(count);
  for (std::uint32_t& number : numbers) number = static_cast<std::uint32_t>(random());
  return numbers;
}

std::uint64_t fnv1a(const char* data, std::size_t size) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (std::size_t i = 0; i < size; ++i) {
    hash = (hash ^ static_cast<unsigned char>(data[i])) * 0x100000001b3U;
  }
  return hash;
}

int count_branching(const std::vector<std::uint32_t>& numbers) {
  int count = 0;
  for (const std::uint32_t number : numbers) {
    if ((number & 1U) != 0) {
      benchmark::DoNotOptimize(count += 3);
    } else {
      benchmark::DoNotOptimize(count -= 1);
    }
  }
  return count;
}
