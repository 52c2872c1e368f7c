// All that is done with counter values, without a counter.
#include <assay/measure/counters/counter_arithmetic.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace assay {
namespace {

constexpr auto top = std::numeric_limits<std::uint64_t>::max();

TEST(CounterArithmetic, ACounterThatAlwaysRanIsExact) {
  const CounterReading taken{.value = (1ULL << 53U) - 1, .enabled_ns = 700, .running_ns = 700};
  EXPECT_EQ(scaled(taken), 9007199254740991.0);
  EXPECT_EQ(running_share(taken), 1.0);
}

TEST(CounterArithmetic, ACounterThatTookTurnsIsScaled) {
  const CounterReading taken{.value = 100, .enabled_ns = 3000, .running_ns = 1000};
  EXPECT_DOUBLE_EQ(scaled(taken).value_or(-1), 300.0);
  EXPECT_DOUBLE_EQ(running_share(taken), 1.0 / 3);
}

TEST(CounterArithmetic, ScalingDoesNotOverflow) {
  const CounterReading taken{.value = top, .enabled_ns = top, .running_ns = top / 2};
  EXPECT_NEAR(scaled(taken).value_or(-1) / static_cast<double>(top), 2.0, 1e-9);
}

TEST(CounterArithmetic, ACounterThatNeverRanHasNoCount) {
  EXPECT_FALSE(scaled({.value = 0, .enabled_ns = 5000, .running_ns = 0}).has_value());
  EXPECT_FALSE(scaled({}).has_value());
  EXPECT_EQ(running_share({}), 0.0);
}

TEST(CounterArithmetic, ZeroEventsOfACounterThatRanAreZero) {
  EXPECT_EQ(scaled({.value = 0, .enabled_ns = 10, .running_ns = 10}), 0.0);
  EXPECT_EQ(scaled({.value = 0, .enabled_ns = 10, .running_ns = 1}), 0.0);
}

TEST(CounterArithmetic, RunningBeyondEnabledIsAllTheTime) {
  const CounterReading taken{.value = 10, .enabled_ns = 99, .running_ns = 100};
  EXPECT_EQ(scaled(taken), 10.0);
  EXPECT_EQ(running_share(taken), 1.0);
}

TEST(CounterArithmetic, ADifferenceSurvivesOneOverflow) {
  EXPECT_EQ(wrapped_difference(10, 15), 5U);
  EXPECT_EQ(wrapped_difference(top - 4, 5), 10U);
  constexpr std::uint64_t top48 = (1ULL << 48U) - 1;
  EXPECT_EQ(wrapped_difference(top48, 1, 48), 2U);
  EXPECT_EQ(wrapped_difference(0xFFFF'FFFF, 0, 32), 1U);
}

TEST(CounterArithmetic, ReadingsAreSubtractedFieldByField) {
  const CounterReading before{.value = top - 1, .enabled_ns = 100, .running_ns = 50};
  const CounterReading after{.value = 8, .enabled_ns = 400, .running_ns = 150};
  const CounterReading expected{.value = 10, .enabled_ns = 300, .running_ns = 100};
  EXPECT_EQ(counted_between(before, after), expected);
}

TEST(CounterArithmetic, TimesThatRunBackwardsAreNoReading) {
  const CounterReading before{.value = 1, .enabled_ns = 100, .running_ns = 100};
  const CounterReading after{.value = 50, .enabled_ns = 90, .running_ns = 90};
  EXPECT_EQ(counted_between(before, after), CounterReading{});
  EXPECT_FALSE(scaled(counted_between(before, after)).has_value());
}

TEST(CounterArithmetic, ChannelsAddUp) {
  const CounterReading sum = added({.value = 3, .enabled_ns = 10, .running_ns = 10},
                                   {.value = 4, .enabled_ns = 10, .running_ns = 5});
  const CounterReading expected{.value = 7, .enabled_ns = 20, .running_ns = 15};
  EXPECT_EQ(sum, expected);
}

}  // namespace
}  // namespace assay
