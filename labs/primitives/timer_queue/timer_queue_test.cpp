#include <assay/primitives/timer_queue/timer_queue_group.hpp>

#include <gtest/gtest.h>

namespace assay::primitives {
namespace {

struct NeverCancels : TimerQueueType::Multimap {
  using Multimap::Multimap;
  void cancel(TimerId /*id*/) {}
};

struct OneTickEarly : TimerQueueType::Multimap {
  using Multimap::Multimap;
  template <class Sink>
  void expire(Tick now, Sink sink) {
    Multimap::expire(now + 1, sink);
  }
};

struct LatestFirst : TimerQueueType::Multimap {
  using Multimap::Multimap;
  template <class Sink>
  void expire(Tick now, Sink sink) {
    std::vector<TimerId> due;
    Multimap::expire(now, [&due](TimerId id) { due.push_back(id); });
    for (auto id = due.rbegin(); id != due.rend(); ++id) sink(*id);
  }
};

TEST(TimerQueueChecks, CatchACancelledTimerThatExpires) {
  const Problem problem = check_timer_queue<NeverCancels>();
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->find("and was not set"), std::string::npos) << *problem;
}

TEST(TimerQueueChecks, CatchATimerThatIsEarly) {
  const Problem problem = check_timer_queue<OneTickEarly>();
  ASSERT_TRUE(problem.has_value());
  EXPECT_NE(problem->find("timers expired at tick"), std::string::npos) << *problem;
}

TEST(TimerQueueChecks, CatchTheWrongOrder) {
  EXPECT_EQ(check_timer_queue<LatestFirst>(), "timers did not expire in the order of their ticks");
}

}  // namespace
}  // namespace assay::primitives
