#include <assay/primitives/coroutine/coroutine_ways.hpp>

#include <gtest/gtest.h>

namespace assay::primitives {
namespace {

/// Broken on purpose: leaves out the last value.
struct LosesTheLast {
  template <class More>
  static std::uint64_t sum(More more) {
    std::uint64_t sum = 0;
    std::uint64_t last = 0;
    while (const std::optional<std::uint64_t> value = more()) {
      sum += last;
      last = 3 * *value;
    }
    return sum;
  }
  template <class Use>
  static void each(std::uint64_t last, Use use) {
    for (std::uint64_t value = 1; value < last; ++value) use(value);
  }
};

struct Backwards {
  template <class Use>
  static void each(std::uint64_t last, Use use) {
    for (std::uint64_t value = last; value > 0; --value) use(value);
  }
};

struct Impatient {
  template <class More>
  static std::uint64_t sum(More more) {
    return 3 * *more();
  }
};

TEST(CoroutineChecks, CatchAValueThatIsLost) {
  EXPECT_EQ(check_await<LosesTheLast>(), "the sum is 14850, not 15150");
  EXPECT_EQ(check_await<Impatient>(), "it stopped after 1 of 100 values");
  EXPECT_EQ(check_generate<LosesTheLast>(), "0 of 1 values came");
}

TEST(CoroutineChecks, CatchAnotherOrder) {
  EXPECT_EQ(check_generate<Backwards>(), "values came in another order");
}

}  // namespace
}  // namespace assay::primitives
