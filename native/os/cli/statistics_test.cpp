#include <assay/os/cli/statistics.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

TEST(Statistics, FigureIsTheTrimmedMeanOfTheLaunches) {
  std::vector<Launched> launches;
  for (const double each : {16.0, 10.0, 16.0, 11.0, 12.0, 30.0}) {
    launches.push_back(launch_of({each + 5, each, each - 5}));
  }
  const Statistics all = statistics_of(launches, 0);
  EXPECT_EQ(all.typical_ns, (16 + 16 + 11 + 12) / 4.0);
  // By hand: deviation of 11 11 12 16 16 16 is 2.5820; times sqrt(6)/4, times t(3) = 3.182.
  EXPECT_NEAR(all.low_ns, 13.75 - 5.032, 0.02);
  EXPECT_NEAR(all.high_ns, 13.75 + 5.032, 0.02);
}

// t at 97.5 %, from the tables, for what is left of 6, 7, 12, 25 and 125 values.
TEST(TrimmedMean, IntervalIsStudentsOnTheWinsorizedDeviation) {
  const std::vector<std::pair<std::size_t, double>> tables = {
      {6, 3.182}, {7, 2.776}, {12, 2.262}, {25, 2.074}, {125, 1.982}};
  for (const auto& [count, t] : tables) {
    std::vector<double> values(count, 100);
    for (std::size_t i = 0; i < count; i += 2) values[i] = 102;
    const auto cut = std::max<std::size_t>(1, count / 20);
    const auto n = static_cast<double>(count);
    const double kept = n - 2 * static_cast<double>(cut);
    const double high = std::ceil(n / 2);
    const double deviation = 2 * std::sqrt(high * (n - high) / n / (n - 1));
    const Interval found = trimmed_mean(values);
    EXPECT_NEAR(found.high - found.typical, t * deviation * std::sqrt(n) / kept, 3e-3);
    EXPECT_NEAR(found.typical - found.low, found.high - found.typical, 1e-9);
  }
}

TEST(TrimmedMean, LeavesOutWhatLiesFarOut) {
  std::vector<double> values(40, 5);
  values[3] = 1e9;
  values[7] = 0;
  const Interval found = trimmed_mean(values);
  EXPECT_EQ(found.typical, 5);
  EXPECT_EQ(found.low, 5);
  EXPECT_EQ(found.high, 5);
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
