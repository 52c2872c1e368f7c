// Quantiles of a LatencyHistogram beside exact ones: a thousand million random values over
// four decades (100 ns to 1 ms). Exact, because every value is also counted by itself, in one
// counter for each of the million values there can be.
//
//   latency_exactness [VALUES]      exits 1 when a quantile is off by more than 0.1 %
#include <assay/base/random.hpp>
#include <assay/measure/latency/latency_histogram.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr std::uint64_t least_ns = 100;
constexpr std::uint64_t past_ns = 1'000'000;
constexpr double promise = 0.001;

/// As many in each decade, uniform within it.
std::uint64_t latency(assay::Random& random) {
  constexpr std::uint64_t decades[] = {least_ns, 1'000, 10'000, 100'000};
  const std::uint64_t decade = decades[random() >> 62U];
  return decade + random.below(9 * decade);
}

/// The smallest value that at least `rank` values do not exceed, for ascending ranks.
class ExactQuantiles {
 public:
  explicit ExactQuantiles(const std::vector<std::uint32_t>& counts) : counts_(counts) {}

  std::uint64_t at(std::uint64_t rank) {
    while (seen_ + counts_[value_] < rank) seen_ += counts_[value_++];
    return value_;
  }

 private:
  const std::vector<std::uint32_t>& counts_;
  std::uint64_t seen_{0};
  std::uint64_t value_{0};
};

/// 0.0001, 0.0002 ... 0.9999, and then ever further into the tail.
std::vector<double> shares() {
  std::vector<double> found;
  for (int i = 1; i < 10'000; ++i) found.push_back(i / 10'000.0);
  for (const double share : {0.99999, 0.999999, 0.9999999, 1.0}) found.push_back(share);
  return found;
}

double worst_error(const std::vector<std::uint32_t>& counts,
                   const assay::LatencyHistogram& histogram) {
  ExactQuantiles exact(counts);
  const std::uint64_t total = histogram.total();
  double worst = 0;
  for (const double share : shares()) {
    const double rank = std::nextafter(share, 0.0) * static_cast<double>(total);
    const auto truth =
        static_cast<double>(exact.at(std::min(total, static_cast<std::uint64_t>(std::ceil(rank)))));
    const auto ours = static_cast<double>(histogram.quantile_ns(share));
    worst = std::max(worst, std::abs(ours / truth - 1));
    for (const double shown : {0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 1.0}) {
      if (share != shown) continue;
      std::printf("  p%-8g exact %8.0f ns, ours %8.0f ns, %+.4f %%\n", 100 * share, truth, ours,
                  100 * (ours / truth - 1));
    }
  }
  return worst;
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t values = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1'000'000'000;
  if (values == 0 || values > 4'000'000'000) {
    std::fputs("usage: latency_exactness [VALUES], at most 4000000000\n", stderr);
    return 2;
  }
  assay::Random random(1729);
  assay::LatencyHistogram histogram;
  std::vector<std::uint32_t> counts(past_ns);
  for (std::uint64_t i = 0; i < values; ++i) {
    const std::uint64_t value = latency(random);
    ++counts[value];
    histogram.record(static_cast<std::int64_t>(value));
  }
  if (histogram.total() != values) {
    std::fputs("error: values were lost\n", stderr);
    return 2;
  }
  const double worst = worst_error(counts, histogram);
  std::printf("  %s worst of 10003 quantiles of %llu values: %.4f %% (at most %.1f)\n",
              worst <= promise ? "kept  " : "BROKEN", static_cast<unsigned long long>(values),
              100 * worst, 100 * promise);
  return worst <= promise ? 0 : 1;
}
