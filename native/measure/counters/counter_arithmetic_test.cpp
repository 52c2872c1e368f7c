// The arithmetic on counter values, without a counter.
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

}  // namespace
}  // namespace assay
