#include <assay/system/tick_clock.hpp>

#include <assay/base/units.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace assay {
namespace {

TEST(TickSource, CounterOnlyWhereTheKernelTrustsItToo) {
  EXPECT_EQ(choose_tick_source(true, "tsc"), TickSource::counter);
  EXPECT_EQ(choose_tick_source(false, "tsc"), TickSource::monotonic);
  EXPECT_EQ(choose_tick_source(true, "hpet"), TickSource::monotonic);
  EXPECT_EQ(choose_tick_source(true, ""), TickSource::monotonic);
}

TEST(TicksPerSecond, FromTwoMoments) {
  EXPECT_DOUBLE_EQ(ticks_per_second({1000, 50}, {1000 + 6'000'000, 50 + 2'000'000}), 3e9);
  EXPECT_EQ(ticks_per_second({5, 5}, {9, 5}), 0);
  EXPECT_EQ(ticks_per_second({9, 5}, {5, 9}), 0);
}

TEST(TickClock, ConvertsTicksToNanoseconds) {
  const TickClock clock(TickSource::counter, 2.5e9);
  EXPECT_EQ(clock.ns_between(100, 100 + 2500), 1000);
  EXPECT_EQ(clock.ns_between(100, 104), 2);  // 1.6, rounded
  EXPECT_EQ(clock.ns_between(~std::uint64_t{0}, 4), 2);
  const std::uint64_t hour = 3600 * 2'500'000'000ULL;
  EXPECT_NEAR(static_cast<double>(clock.ns_between(0, hour)), 3.6e12, 1500);
}

TEST(TickClock, GoingBackwardsIsNegative) {
  const TickClock clock(TickSource::counter, 2.5e9);
  EXPECT_EQ(clock.ns_between(2600, 100), -1000);
}

TEST(TickClock, FallsBackToMonotonic) {
  const TickClock clock(TickSource::monotonic, 1e9);
  EXPECT_EQ(clock.source(), "CLOCK_MONOTONIC");
  const std::int64_t before = now_ns();
  const std::int64_t read = clock.now_ns();
  EXPECT_GE(read, before);
  EXPECT_LE(read, now_ns());
  EXPECT_EQ(clock.ns_between(70, 170), 100);
}

TEST(TickClock, OfThisHostNeverGoesBack) {
  const TickClock& clock = TickClock::of_this_host();
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t began = clock.begin();
    ASSERT_GE(clock.ns_between(began, clock.end()), 0);
  }
}

// The host may stop this thread between a reading of one clock and the reading of the other. So the
// ticks are compared with two intervals of CLOCK_MONOTONIC: one just inside and one just outside.
// docs/guides/latency.md says how far the two clocks were apart.
TEST(TickClock, OfThisHostAgreesWithMonotonic) {
  const TickClock& clock = TickClock::of_this_host();
  const std::int64_t before_begin_ns = now_ns();
  const std::uint64_t began = clock.begin();
  const std::int64_t after_begin_ns = now_ns();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::int64_t before_end_ns = now_ns();
  const std::uint64_t ended = clock.end();
  const std::int64_t after_end_ns = now_ns();
  const auto ticked_ns = static_cast<double>(clock.ns_between(began, ended));
  constexpr double tolerance = 1e-3;
  EXPECT_GE(ticked_ns, static_cast<double>(before_end_ns - after_begin_ns) * (1 - tolerance));
  EXPECT_LE(ticked_ns, static_cast<double>(after_end_ns - before_begin_ns) * (1 + tolerance));
}

}  // namespace
}  // namespace assay
