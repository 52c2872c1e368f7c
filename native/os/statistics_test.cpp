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
  EXPECT_EQ(all.median_ns, 51);  // the upper of the two middle ones
  EXPECT_EQ(all.typical_ns, 51);
  EXPECT_EQ(all.low_ns, 40);
  EXPECT_EQ(all.high_ns, 61);
  EXPECT_EQ(all.p95_ns, 96);
  EXPECT_EQ(all.p99_ns, 100);
  EXPECT_NEAR(all.stddev_ns, 29.0115, 1e-4);
}

TEST(Statistics, FigureIsTheMedianOfTheLaunches) {
  std::vector<Launched> launches;
  for (const double each : {16.0, 10.0, 16.0, 11.0, 12.0, 30.0}) {
    launches.push_back(launch_of({each + 5, each, each - 5}));
  }
  const Statistics all = statistics_of(launches, 0);
  EXPECT_EQ(all.typical_ns, 16);
  EXPECT_EQ(all.low_ns, 10);  // six launches: from the lowest to the highest
  EXPECT_EQ(all.high_ns, 30);
}

TEST(Statistics, FewLaunchesAreTakenTogether) {
  const Statistics all = statistics_of({launch_of({1, 2, 9, 9, 9}), launch_of({1, 1, 1})}, 0);
  EXPECT_EQ(all.typical_ns, 2);
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
TEST(MedianRanks, AreThoseOfTheSignTest) {
  using Ranks = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(median_ranks(1), (Ranks{0, 0}));
  EXPECT_EQ(median_ranks(2), (Ranks{0, 1}));
  EXPECT_EQ(median_ranks(6), (Ranks{0, 5}));
  EXPECT_EQ(median_ranks(10), (Ranks{1, 8}));
  EXPECT_EQ(median_ranks(20), (Ranks{5, 14}));
  EXPECT_EQ(median_ranks(100), (Ranks{39, 60}));
  EXPECT_EQ(median_ranks(1'000), (Ranks{468, 531}));
  const auto [low, high] = median_ranks(10'000);
  EXPECT_NEAR(static_cast<double>(low), 4902, 1);
  EXPECT_NEAR(static_cast<double>(high), 5098, 1);
}

}  // namespace
}  // namespace assay::os
