#include <assay/primitives/random/random_group.hpp>

#include <gtest/gtest.h>

namespace assay::primitives {
namespace {

struct Stuck {
  static constexpr bool repeats = true;
  explicit Stuck(std::uint64_t) {}
  static std::uint64_t next() { return 4; }
  static double unit() { return 0.5; }
};

/// Broken on purpose: one bit too few, so that no number is in the upper half of the range.
struct Low : RandomType::AssayRandom {
  using AssayRandom::AssayRandom;
  double unit() { return AssayRandom::unit() / 2; }
};

struct Beyond : RandomType::AssayRandom {
  using AssayRandom::AssayRandom;
  double unit() { return AssayRandom::unit() + 0.001; }
};

/// Broken on purpose: ignores its seed.
struct Unseeded : RandomType::GetRandom {
  using GetRandom::GetRandom;
  static constexpr bool repeats = true;
};

TEST(RandomChecks, CatchSourcesThatAreNot) {
  EXPECT_EQ(check_repeats<Stuck>(), "always the same number");
  EXPECT_TRUE(check_unit<Stuck>().has_value()) << "a mean of 0.5, and no variance";
  EXPECT_TRUE(check_unit<Low>().has_value());
  EXPECT_TRUE(check_unit<Beyond>().has_value());
  EXPECT_EQ(check_repeats<Unseeded>(), "two of one seed differ");
}

}  // namespace
}  // namespace assay::primitives
