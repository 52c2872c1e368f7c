#include <assay/os/cli/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace assay::os {
namespace {

constexpr std::size_t enough_launches = 6;

std::vector<double> sorted_less(const std::vector<double>& samples, double taken_off_ns) {
  std::vector<double> sorted = samples;
  for (double& sample : sorted) sample = std::max(sample - taken_off_ns, 0.0);
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

// libMicro's: the upper of the two middle ones.
double at_share(const std::vector<double>& sorted, std::size_t percent) {
  return sorted[std::min(sorted.size() - 1, sorted.size() * percent / 100)];
}

// Student's t at 97.5 %, by powers of 1/freedom: within 0.2 % from 3 on (Abramowitz and Stegun
// 26.7.5).
double student_t(double freedom) {
  constexpr double terms[] = {1.959964, 2.372271, 2.822499, 2.555850, 1.589340};
  double sum = 0;
  double divisor = 1;
  for (const double term : terms) {
    sum += term / divisor;
    divisor *= freedom;
  }
  return sum;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double deviation_of(const std::vector<double>& values, double mean) {
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto n = static_cast<double>(values.size());
  return n > 1 ? std::sqrt(squares / (n - 1)) : 0;
}

Interval median(const std::vector<double>& sorted) {
  const auto [low, high] = median_ranks(sorted.size());
  return {.typical = at_share(sorted, 50), .low = sorted[low], .high = sorted[high]};
}

}  // namespace

Interval trimmed_mean(std::vector<double> values) {
  const std::size_t cut = std::max<std::size_t>(1, values.size() / 20);
  std::sort(values.begin(), values.end());
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(cut);
  const auto last = values.end() - static_cast<std::ptrdiff_t>(cut);
  const std::vector<double> kept(first, last);
  std::fill(values.begin(), first, kept.front());
  std::fill(last, values.end(), kept.back());
  const auto n = static_cast<double>(values.size());
  const auto inner = static_cast<double>(kept.size());
  const double error = deviation_of(values, mean_of(values)) * std::sqrt(n) / inner;
  const double reach = student_t(inner - 1) * error;
  const double mean = mean_of(kept);
  return {.typical = mean, .low = std::max(0.0, mean - reach), .high = mean + reach};
}

// Counted up to 1000; beyond, the normal distribution is exact enough.
std::pair<std::size_t, std::size_t> median_ranks(std::size_t count) {
  if (count < 2) return {0, 0};
  const auto n = static_cast<double>(count);
  if (count > 1000) {
    const double reach = 1.96 * std::sqrt(n / 4);
    return {static_cast<std::size_t>(std::floor(n / 2 - reach)),
            static_cast<std::size_t>(std::ceil(n / 2 + reach))};
  }
  constexpr double tail = 0.025;
  double chance = std::exp2(-n);  // that so many values are below the median: binomial
  double at_most = chance;
  std::size_t low = 0;
  while (true) {
    chance *= (n - static_cast<double>(low)) / (static_cast<double>(low) + 1);
    if (at_most + chance > tail) return {low, count - 1 - low};
    at_most += chance;
    ++low;
  }
}

Statistics statistics_of(const std::vector<Launched>& launches, double taken_off_ns) {
  Statistics all;
  std::vector<double> of_launches;
  for (const Launched& launched : launches) {
    const auto sorted = sorted_less(launched.per_call_ns, taken_off_ns);
    if (sorted.empty()) continue;
    of_launches.push_back(at_share(sorted, 50));
    all.sorted_ns.insert(all.sorted_ns.end(), sorted.begin(), sorted.end());
  }
  std::sort(all.sorted_ns.begin(), all.sorted_ns.end());
  if (all.sorted_ns.empty()) return all;
  all.min_ns = all.sorted_ns.front();
  all.max_ns = all.sorted_ns.back();
  all.mean_ns = mean_of(all.sorted_ns);
  all.median_ns = at_share(all.sorted_ns, 50);
  all.p95_ns = at_share(all.sorted_ns, 95);
  all.p99_ns = at_share(all.sorted_ns, 99);
  all.stddev_ns = deviation_of(all.sorted_ns, all.mean_ns);
  const bool enough = of_launches.size() >= enough_launches;
  const Interval figure = enough ? trimmed_mean(std::move(of_launches)) : median(all.sorted_ns);
  all.typical_ns = figure.typical;
  all.low_ns = figure.low;
  all.high_ns = figure.high;
  return all;
}

}  // namespace assay::os
