#include <assay/primitives/future/future_types.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace assay::primitives {
namespace {

struct OneBehind {
  std::uint64_t last = 1;
  std::uint64_t hand_over(std::uint64_t value) { return std::exchange(last, value); }
};

TEST(FutureChecks, CatchAValueThatComesLate) {
  EXPECT_EQ(check_hand_over<OneBehind>(), "4 was handed over and 1 received");
}

}  // namespace
}  // namespace assay::primitives
