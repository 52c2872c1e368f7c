#include <assay/primitives/timer/timer_group.hpp>

#include <gtest/gtest.h>

namespace assay::primitives {
namespace {

TEST(TimerCheck, CatchesAClockThatStandsOrGoesBack) {
  EXPECT_EQ(check_timer([] { return std::uint64_t{7}; }), "stands still");
  std::uint64_t reads = 0;
  EXPECT_EQ(check_timer([&reads] { return ++reads == 500 ? reads - 3 : reads; }), "went back by 2");
}

}  // namespace
}  // namespace assay::primitives
