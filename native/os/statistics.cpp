#include <assay/os/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace assay::os {
namespace {

constexpr std::size_t enough_launches = 6;  // 1 - 2/2^6 = 96.9 %
constexpr std::size_t decile_percent = 10;

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

void put_figure(Statistics& all, std::vector<double> deciles) {
  if (deciles.size() >= enough_launches) {
    std::sort(deciles.begin(), deciles.end());
    const auto usual = deciles.begin() + 1;  // the fastest had the clock at its highest
    const auto middle = deciles.begin() + static_cast<std::ptrdiff_t>(deciles.size() / 2);
    all.typical_ns = std::accumulate(usual, middle, 0.0) / static_cast<double>(middle - usual);
    all.low_ns = deciles.front();
    all.high_ns = deciles.back();
    return;
  }
  const auto [low, high] = quantile_ranks(all.sorted_ns.size(), decile_percent / 100.0);
  all.typical_ns = at_share(all.sorted_ns, decile_percent);
  all.low_ns = all.sorted_ns[low];
  all.high_ns = all.sorted_ns[high];
}

// How likely each number of samples below the quantile is: binomial.
std::vector<double> chances(std::size_t samples, double share) {
  std::vector<double> all(samples + 1);
  const auto n = static_cast<double>(samples);
  double log_chance = n * std::log1p(-share);
  for (std::size_t k = 0; k <= samples; ++k) {
    all[k] = std::exp(log_chance);
    const auto left = static_cast<double>(samples - k);
    if (left > 0) log_chance += std::log(left / (n - left + 1) * share / (1 - share));
  }
  return all;
}

}  // namespace

// Counted up to 1000 samples; beyond, the normal distribution is exact enough.
std::pair<std::size_t, std::size_t> quantile_ranks(std::size_t samples, double share) {
  if (samples < 2) return {0, 0};
  const auto n = static_cast<double>(samples);
  if (samples > 1000) {
    const double reach = 1.96 * std::sqrt(n * share * (1 - share));
    return {static_cast<std::size_t>(std::max(0.0, std::floor(n * share - reach))),
            static_cast<std::size_t>(std::min(n - 1, std::ceil(n * share + reach)))};
  }
  constexpr double tail = 0.025;
  const std::vector<double> chance = chances(samples, share);
  std::size_t low = 0;
  double below = chance[0];
  while (below + chance[low + 1] <= tail) below += chance[++low];
  std::size_t high = samples;
  double above = 0;  // of more than `high`
  while (above + chance[high] <= tail) above += chance[high--];
  return {low, std::min(high, samples - 1)};
}

Statistics statistics_of(const std::vector<Launched>& launches, double taken_off_ns) {
  Statistics all;
  std::vector<double> deciles;
  for (const Launched& launched : launches) {
    const auto sorted = sorted_less(launched.per_call_ns, taken_off_ns);
    if (sorted.empty()) continue;
    deciles.push_back(at_share(sorted, decile_percent));
    all.sorted_ns.insert(all.sorted_ns.end(), sorted.begin(), sorted.end());
  }
  std::sort(all.sorted_ns.begin(), all.sorted_ns.end());
  if (all.sorted_ns.empty()) return all;
  const auto n = static_cast<double>(all.sorted_ns.size());
  all.min_ns = all.sorted_ns.front();
  all.max_ns = all.sorted_ns.back();
  all.mean_ns = std::accumulate(all.sorted_ns.begin(), all.sorted_ns.end(), 0.0) / n;
  all.median_ns = at_share(all.sorted_ns, 50);
  all.p95_ns = at_share(all.sorted_ns, 95);
  all.p99_ns = at_share(all.sorted_ns, 99);
  double squares = 0;
  for (const double sample : all.sorted_ns)
    squares += (sample - all.mean_ns) * (sample - all.mean_ns);
  all.stddev_ns = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
  put_figure(all, std::move(deciles));
  return all;
}

}  // namespace assay::os
