#include <assay/system/clock.hpp>

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Clock, NeverGoesBack) {
  std::int64_t last = now_ns();
  for (int i = 0; i < 10'000; ++i) {
    const std::int64_t now = now_ns();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(ClockQuality, OfAClockThatTicksAtEveryReading) {
  std::int64_t time = 0;
  const ClockQuality quality = measure_clock([&time] { return time += 25; });
  EXPECT_EQ(quality.resolution_ns, 25);
  EXPECT_DOUBLE_EQ(quality.cost_ns, 25.0);
}

TEST(ClockQuality, OfAClockCoarserThanItsCost) {
  std::int64_t reading = 0;
  const ClockQuality quality = measure_clock([&reading] { return ++reading / 100 * 1000; });
  EXPECT_EQ(quality.resolution_ns, 1000);
  EXPECT_DOUBLE_EQ(quality.cost_ns, 10.0);
}

TEST(ClockQuality, OfAClockThatStandsStill) {
  const ClockQuality quality = measure_clock([] { return std::int64_t{5}; });
  EXPECT_EQ(quality.resolution_ns, 0);
  EXPECT_EQ(quality.cost_ns, 0);
}

TEST(ClockQuality, OfThisHostIsPlausible) {
  const ClockQuality quality = measure_clock();
  EXPECT_GT(quality.resolution_ns, 0);
  EXPECT_LT(quality.resolution_ns, 1'000'000);
  EXPECT_GT(quality.cost_ns, 0.5);
  EXPECT_LT(quality.cost_ns, 100'000);
}

}  // namespace
}  // namespace assay
