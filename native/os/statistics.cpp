#include <assay/os/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace assay::os {
namespace {

constexpr std::size_t enough_launches = 6;  // 1 - 2/2^6 = 96.9 %

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

void put_figure(Statistics& all, std::vector<double> of_launches) {
  std::sort(of_launches.begin(), of_launches.end());
  const auto& sorted = of_launches.size() >= enough_launches ? of_launches : all.sorted_ns;
  const auto [low, high] = median_ranks(sorted.size());
  all.typical_ns = at_share(sorted, 50);
  all.low_ns = sorted[low];
  all.high_ns = sorted[high];
}

}  // namespace

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
  put_figure(all, std::move(of_launches));
  return all;
}

}  // namespace assay::os
