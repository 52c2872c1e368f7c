#include <assay/os/statistics.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace assay::os {
namespace {

Launched launch_of(std::vector<double> samples) {
  Launched launched;
  launched.per_call_ns = std::move(samples);
  return launched;
}

TEST(Statistics, AreLibMicros) {
  std::vector<double> samples(100);
  std::iota(samples.begin(), samples.end(), 1.0);
  const Statistics all = statistics_of({launch_of(samples)}, 0);
  EXPECT_EQ(all.min_ns, 1);
  EXPECT_EQ(all.max_ns, 100);
  EXPECT_EQ(all.mean_ns, 50.5);
  EXPECT_EQ(all.median_ns, 51);   // the upper of the two middle ones
  EXPECT_EQ(all.typical_ns, 11);  // the first decile, as libMicro finds its percentiles
  EXPECT_EQ(all.low_ns, 5);
  EXPECT_EQ(all.high_ns, 17);
  EXPECT_EQ(all.p95_ns, 96);
  EXPECT_EQ(all.p99_ns, 100);
  EXPECT_NEAR(all.stddev_ns, 29.0115, 1e-4);
}

TEST(Statistics, FigureIsOfTheLessDisturbedLaunches) {
  std::vector<Launched> launches;
  for (const double each : {16.0, 10.0, 16.0, 11.0, 12.0, 30.0}) {
    launches.push_back(launch_of({each + 5, each, each + 5}));
  }
  const Statistics all = statistics_of(launches, 0);
  EXPECT_EQ(all.typical_ns, 11.5);  // of 11 and 12: 10 is the fastest, the rest the slower half
  EXPECT_EQ(all.median_ns, 17);
  EXPECT_EQ(all.low_ns, 10);  // six launches: from the lowest to the highest
  EXPECT_EQ(all.high_ns, 30);
}

TEST(Statistics, TakesOffWhatItIsToldButNothingBelowZero) {
  const Statistics all = statistics_of({launch_of({1, 5, 9})}, 2);
  EXPECT_EQ(all.min_ns, 0);
  EXPECT_EQ(all.median_ns, 3);
}

TEST(Statistics, OfNothing) {
  EXPECT_TRUE(statistics_of({}, 0).sorted_ns.empty());
}

// Tables of the sign test: n = 10 gives the 2nd and 9th (97.9 %), n = 20 the 6th and 15th.
TEST(QuantileRanks, OfTheMedianAreThoseOfTheSignTest) {
  using Ranks = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(quantile_ranks(1, 0.5), (Ranks{0, 0}));
  EXPECT_EQ(quantile_ranks(6, 0.5), (Ranks{0, 5}));
  EXPECT_EQ(quantile_ranks(10, 0.5), (Ranks{1, 8}));
  EXPECT_EQ(quantile_ranks(20, 0.5), (Ranks{5, 14}));
  EXPECT_EQ(quantile_ranks(100, 0.5), (Ranks{39, 60}));
  const auto [low, high] = quantile_ranks(10'000, 0.5);
  EXPECT_NEAR(static_cast<double>(low), 4902, 1);
  EXPECT_NEAR(static_cast<double>(high), 5098, 1);
}

// Binomial tables of 1/10: of 100, at most 4 are below with 2.4 %, more than 16 with 2.1 %.
TEST(QuantileRanks, OfTheDecileLieAboutIt) {
  using Ranks = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(quantile_ranks(100, 0.1), (Ranks{4, 16}));
  EXPECT_EQ(quantile_ranks(3, 0.1), (Ranks{0, 2}));
  const auto [low, high] = quantile_ranks(1'000, 0.1);
  const auto [lower, higher] = quantile_ranks(1'001, 0.1);
  EXPECT_NEAR(static_cast<double>(low), static_cast<double>(lower), 2);
  EXPECT_NEAR(static_cast<double>(high), static_cast<double>(higher), 2);
}

}  // namespace
}  // namespace assay::os
