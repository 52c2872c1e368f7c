#include <assay/base/random.hpp>

#include <gtest/gtest.h>

#include <array>

namespace assay {
namespace {

TEST(SplitMix, GivesThePublishedSequence) {
  SplitMix mix(1234567);
  EXPECT_EQ(mix.next(), 6457827717110365317U);
  EXPECT_EQ(mix.next(), 3203168211198807973U);
  EXPECT_EQ(mix.next(), 9817491932198370423U);
}

TEST(Random, IsTheSameForTheSameSeed) {
  Random first(1729);
  Random second(1729);
  Random other(1730);
  const std::uint64_t number = first();
  EXPECT_EQ(number, second());
  EXPECT_NE(number, other());
}

TEST(Random, SeedZeroIsAsGoodAsAnyOther) {
  Random random(0);
  EXPECT_NE(random(), random());
}

TEST(Random, StaysBelowItsBoundAndReachesAllOfIt) {
  Random random(7);
  std::array<int, 10> seen{};
  for (int i = 0; i < 10'000; ++i) ++seen.at(random.below(10));
  for (const int count : seen) EXPECT_NEAR(count, 1000, 200);
  EXPECT_EQ(random.below(1), 0U);
  EXPECT_EQ(random.below(0), 0U);
}

TEST(Random, UnitIsUniformBelowOne) {
  Random random(7);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const double number = random.unit();
    ASSERT_GE(number, 0.0);
    ASSERT_LT(number, 1.0);
    sum += number;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

TEST(Random, SplitGivesAnotherSequence) {
  Random parent(7);
  Random child = parent.split();
  EXPECT_NE(parent(), child());
}

}  // namespace
}  // namespace assay
