#include <assay/index/workload/decreasing_sampler.hpp>

#include <assay/index/workload/chi_square.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace assay::index {
namespace {

constexpr int draws = 400'000;

std::vector<std::uint64_t> counts_of(const DecreasingSampler& sampler, std::uint64_t ranks) {
  FastRandom random(1729);
  std::vector<std::uint64_t> counts(ranks);
  for (int i = 0; i < draws; ++i) ++counts.at(sampler.draw(random));
  return counts;
}

std::vector<double> zipfian(std::uint64_t ranks, double exponent) {
  std::vector<double> weights;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    weights.push_back(std::pow(static_cast<double>(rank + 1), -exponent));
  }
  return normalised(weights);
}

/// P(rank below `share` of all ranks), from the definition: the first `skew` of any range gets 1 -
/// skew of its draws.
double self_similar_below(double share, double skew) {
  return std::pow(share, std::log(1 - skew) / std::log(skew));
}

TEST(DecreasingSampler, IsZipfianForEveryExponent) {
  for (const double exponent : {0.0, 0.2, 0.5, 0.99, 1.0, 1.5, 2.0, 3.0, 5.0}) {
    for (const std::uint64_t ranks : {1U, 2U, 7U, 1000U, 30'000U}) {
      const auto sampler = DecreasingSampler::zipfian(ranks, exponent);
      const auto counts = counts_of(sampler, ranks);
      if (ranks == 1) {
        EXPECT_EQ(counts[0], draws);
        continue;
      }
      const ChiSquare test = chi_square(counts, zipfian(ranks, exponent));
      EXPECT_TRUE(test.fits()) << exponent << " over " << ranks << ": " << test.statistic << " of "
                               << test.limit();
    }
  }
}

TEST(DecreasingSampler, IsSelfSimilar) {
  for (const double skew : {0.01, 0.1, 0.2, 0.35, 0.5}) {
    for (const std::uint64_t ranks : {10U, 1000U, 30'000U}) {
      std::vector<double> probabilities;
      const auto n = static_cast<double>(ranks);
      for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        const auto r = static_cast<double>(rank);
        probabilities.push_back(self_similar_below((r + 1) / n, skew) -
                                self_similar_below(r / n, skew));
      }
      const auto counts = counts_of(DecreasingSampler::self_similar(ranks, skew), ranks);
      const ChiSquare test = chi_square(counts, probabilities);
      EXPECT_TRUE(test.fits()) << skew << " over " << ranks << ": " << test.statistic << " of "
                               << test.limit();
    }
  }
}

TEST(DecreasingSampler, ATestThatWouldSeeAnotherExponent) {
  const auto counts = counts_of(DecreasingSampler::zipfian(1000, 0.99), 1000);
  EXPECT_FALSE(chi_square(counts, zipfian(1000, 0.97)).fits());
  EXPECT_FALSE(chi_square(counts, zipfian(1000, 1.01)).fits());
}

/// There are too many ranks to count each one. So this counts how many draws fall between powers of
/// 2, and compares with sums by the Euler-Maclaurin formula.
TEST(DecreasingSampler, IsZipfianOverAThousandMillion) {
  constexpr std::uint64_t ranks = 1'000'000'000;
  constexpr double exponent = 0.99;
  const auto sum_to = [](double n) {
    double sum = 0;
    const double exact = std::min(n, 1000.0);
    for (double k = 1; k <= exact; ++k) sum += std::pow(k, -exponent);
    const auto integral = [](double x) { return std::pow(x, 1 - exponent) / (1 - exponent); };
    if (n > exact) sum += integral(n + 0.5) - integral(exact + 0.5);
    return sum;
  };
  std::vector<double> probabilities;
  double below = 0;
  for (int power = 0; power <= 30; ++power) {
    const double sum = sum_to(std::min(std::ldexp(1, power), 1e9));
    probabilities.push_back(sum - below);
    below = sum;
  }
  const auto sampler = DecreasingSampler::zipfian(ranks, exponent);
  FastRandom random(7);
  std::vector<std::uint64_t> counts(31);
  for (int i = 0; i < draws; ++i) {
    const std::uint64_t rank = sampler.draw(random);
    ASSERT_LT(rank, ranks);
    ++counts[static_cast<std::size_t>(std::bit_width(rank))];
  }
  EXPECT_TRUE(chi_square(counts, normalised(probabilities)).fits());
}

TEST(DecreasingSampler, SetUpDoesNotGrowWithTheRanks) {
  const auto million = DecreasingSampler::zipfian(1'000'000, 0.99).set_up_steps();
  const auto milliard = DecreasingSampler::zipfian(1'000'000'000, 0.99).set_up_steps();
  const auto all = DecreasingSampler::zipfian(~std::uint64_t{0}, 0.99).set_up_steps();
  EXPECT_GT(million, 0U);
  EXPECT_LT(milliard, 2000U);
  EXPECT_LT(all, 5000U);
  EXPECT_LT(milliard, 2 * million);
}

TEST(DecreasingSampler, IsTheSameForTheSameSeed) {
  const auto sampler = DecreasingSampler::zipfian(1'000'000, 0.99);
  FastRandom one(5);
  FastRandom same(5);
  FastRandom other(6);
  int equal = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t drawn = sampler.draw(one);
    ASSERT_EQ(drawn, sampler.draw(same));
    equal += drawn == sampler.draw(other) ? 1 : 0;
  }
  EXPECT_LT(equal, 100);
}

}  // namespace
}  // namespace assay::index
