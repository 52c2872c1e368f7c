// Purpose: the benchmarks of a random source, and the checks before them: numbers are in range,
// differ, are as even as chance allows, and are the same again for the same seed.
//
//   add_source<RandomType::Minstd>(group);
//
// Thread safety: main thread. Cost: none to the measurement.
#pragma once

#include <assay/primitives/random/random_types.hpp>

#include <assay/primitives/measured.hpp>

#include <cmath>
#include <string>

namespace assay::primitives {

inline constexpr std::uint64_t suite_seed = 1729;

template <class Source>
void bench_random_next(benchmark::State& state) {
  Source source(suite_seed);
  Measured measured(state);
  for (auto _ : state) benchmark::DoNotOptimize(source.next());
  measured.done({});
}

template <class Source>
void bench_random_01(benchmark::State& state) {
  Source source(suite_seed);
  Measured measured(state);
  for (auto _ : state) benchmark::DoNotOptimize(source.unit());
  measured.done({});
}

template <class Source>
Problem check_repeats() {
  Source one(suite_seed);
  Source other(suite_seed);
  bool varies = false;
  const std::uint64_t first = one.next();
  bool is_same = first == other.next();
  for (int i = 0; i < 1'000; ++i) {
    const std::uint64_t number = one.next();
    is_same = is_same && number == other.next();
    varies = varies || number != first;
  }
  if (!varies) return "always the same number";
  if (is_same != Source::repeats)
    return "two of one seed " + std::string(is_same ? "agree" : "differ");
  return {};
}

/// Checks range, mean and variance. The mean of n uniform numbers has a standard deviation of
/// 1/sqrt(12 n); it may be six of these away from 1/2.
template <class Source>
Problem check_unit() {
  constexpr int draws = 20'000;
  Source source(suite_seed);
  double sum = 0;
  double sum_of_squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double number = source.unit();
    if (!(number >= 0 && number < 1)) return std::to_string(number) + " is not in [0, 1)";
    sum += number;
    sum_of_squares += number * number;
  }
  const double mean = sum / draws;
  const double variance = sum_of_squares / draws - mean * mean;
  if (std::abs(mean - 0.5) > 6 / std::sqrt(12.0 * draws)) return "mean " + std::to_string(mean);
  if (std::abs(variance - 1.0 / 12) > 0.005) return "variance " + std::to_string(variance);
  return {};
}

template <class Source>
void add_source(Group& group) {
  group.add({.name = name_of<Source>("bench_random_next"),
             .sharing = Source::sharing,
             .check = check_repeats<Source>,
             .loop = bench_random_next<Source>});
  group.add({.name = name_of<Source>("bench_random_01"),
             .sharing = Source::sharing,
             .check = check_unit<Source>,
             .loop = bench_random_01<Source>});
}

}  // namespace assay::primitives
