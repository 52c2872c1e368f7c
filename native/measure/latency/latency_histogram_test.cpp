#include <assay/measure/latency/latency_histogram.hpp>

#include <assay/base/random.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <thread>
#include <vector>

namespace assay {
namespace {

TEST(LatencyHistogram, EveryValueFallsIntoABucketThatHoldsIt) {
  for (std::int64_t value = 1; value <= LatencyHistogram::highest_ns; value += 1 + value / 3000) {
    const std::size_t bucket = LatencyHistogram::bucket_of(value);
    ASSERT_LT(bucket, LatencyHistogram::buckets);
    ASSERT_GE(LatencyHistogram::highest_of(bucket), value);
    ASSERT_LT(LatencyHistogram::highest_of(bucket - 1), value);
  }
}

TEST(LatencyHistogram, BucketsAreAThousandthWide) {
  for (std::size_t bucket = 2048; bucket < LatencyHistogram::buckets; ++bucket) {
    const auto highest = static_cast<double>(LatencyHistogram::highest_of(bucket));
    const auto before = static_cast<double>(LatencyHistogram::highest_of(bucket - 1));
    ASSERT_LT((highest - before - 1) / (before + 1), 0.001) << bucket;
  }
}

TEST(LatencyHistogram, OfNothing) {
  const LatencyHistogram histogram;
  EXPECT_TRUE(histogram.empty());
  EXPECT_EQ(histogram.total(), 0U);
  EXPECT_EQ(histogram.quantile_ns(0.5), 0);
  EXPECT_EQ(histogram.max_ns(), 0);
}

TEST(LatencyHistogram, QuantilesOfAHundredValues) {
  LatencyHistogram histogram;
  for (int value = 1; value <= 100; ++value) histogram.record(value);
  EXPECT_EQ(histogram.quantile_ns(0.5), 50);
  EXPECT_EQ(histogram.quantile_ns(0.07), 7);
  EXPECT_EQ(histogram.quantile_ns(0.99), 99);
  EXPECT_EQ(histogram.quantile_ns(0.991), 100);
  EXPECT_EQ(histogram.quantile_ns(0), 1);
  EXPECT_EQ(histogram.quantile_ns(-3), 1);
  EXPECT_EQ(histogram.quantile_ns(7), 100);
  EXPECT_EQ(histogram.quantile_ns(std::numeric_limits<double>::quiet_NaN()), 100);
}

TEST(LatencyHistogram, MaximumIsExactAndNoQuantileAboveIt) {
  LatencyHistogram histogram;
  histogram.record(1'234'567);
  EXPECT_EQ(histogram.max_ns(), 1'234'567);
  EXPECT_EQ(histogram.quantile_ns(1), 1'234'567);
}

TEST(LatencyHistogram, OutOfRangeIsClampedAndSaid) {
  LatencyHistogram histogram;
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-5}, std::numeric_limits<std::int64_t>::min(),
        LatencyHistogram::highest_ns + 1, std::numeric_limits<std::int64_t>::max()}) {
    histogram.record(value);
  }
  histogram.record(LatencyHistogram::lowest_ns);
  histogram.record(LatencyHistogram::highest_ns);
  EXPECT_EQ(histogram.clamped_below(), 3U);
  EXPECT_EQ(histogram.clamped_above(), 2U);
  EXPECT_EQ(histogram.total(), 7U);
  EXPECT_EQ(histogram.counts()[1], 4U);
  EXPECT_EQ(histogram.max_ns(), LatencyHistogram::highest_ns);
}

TEST(LatencyHistogram, AddIgnoresBucketsThatAreNot) {
  LatencyHistogram histogram;
  histogram.add(LatencyHistogram::buckets, 5);
  histogram.add(7, 0);
  EXPECT_TRUE(histogram.empty());
  histogram.add(7, 5);
  EXPECT_EQ(histogram.total(), 5U);
  EXPECT_EQ(histogram.max_ns(), 7);
}

TEST(LatencyHistogram, ThreadsHaveTheirOwnAndMergeToTheSame) {
  constexpr int threads = 4;
  constexpr int values = 20'000;
  std::vector<LatencyHistogram> parts(threads);
  std::vector<std::thread> team;
  for (std::size_t i = 0; i < threads; ++i) {
    team.emplace_back([&parts, i] {
      Random random(i);
      for (int n = 0; n < values; ++n) parts[i].record(std::int64_t(random.below(4'000'000)) - 9);
    });
  }
  for (std::thread& each : team) each.join();

  LatencyHistogram merged;
  for (const LatencyHistogram& part : parts) merged.merge(part);
  LatencyHistogram alone;
  for (std::uint64_t seed = 0; seed < threads; ++seed) {
    Random random(seed);
    for (int n = 0; n < values; ++n) alone.record(std::int64_t(random.below(4'000'000)) - 9);
  }
  EXPECT_EQ(merged.total(), std::uint64_t{threads} * values);
  EXPECT_TRUE(std::ranges::equal(merged.counts(), alone.counts()));
  EXPECT_EQ(merged.max_ns(), alone.max_ns());
  EXPECT_EQ(merged.clamped_below(), alone.clamped_below());
}

// A million values here; benchmarks/native/latency_exactness.cpp compares a thousand million.
TEST(LatencyHistogram, QuantilesOfRandomValuesAgreeWithExactOnes) {
  Random random(1729);
  LatencyHistogram histogram;
  std::vector<std::int64_t> values;
  for (int i = 0; i < 1'000'000; ++i) {
    std::uint64_t decade = 100;
    for (std::uint64_t n = random.below(4); n > 0; --n) decade *= 10;
    values.push_back(static_cast<std::int64_t>(decade + random.below(9 * decade)));
    histogram.record(values.back());
  }
  std::sort(values.begin(), values.end());
  for (const double share : {0.0001, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 0.999, 0.9999, 1.0}) {
    const auto rank = static_cast<std::size_t>(std::llround(share * 1e6));
    const auto exact = static_cast<double>(values[rank - 1]);
    const auto ours = static_cast<double>(histogram.quantile_ns(share));
    EXPECT_GE(ours, exact) << share;
    EXPECT_LE(ours, exact * 1.001) << share;
  }
}

}  // namespace
}  // namespace assay
