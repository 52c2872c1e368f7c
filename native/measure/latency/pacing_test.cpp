#include <assay/measure/latency/pacing.hpp>

#include <assay/base/units.hpp>
#include <assay/measure/latency/latency_timing.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace assay {
namespace {

/// A simulated clock: its time passes only when a test sets it or waits for a moment.
struct SimulatedTime {
  std::int64_t now_ns{5'000};

  PaceClock clock() {
    return {.now_ns = [this] { return now_ns; },
            .wait_until_ns = [this](std::int64_t until) { now_ns = std::max(now_ns, until); }};
  }
};

/// Latencies of requests that take 2 ns each, but for request number `stalled`, which takes
/// stall_ns.
std::vector<std::int64_t> latencies(Arrivals arrivals, int requests, int stalled,
                                    std::int64_t stall_ns) {
  SimulatedTime time;
  Pacer pacer(arrivals, time.clock());
  std::vector<std::int64_t> found;
  for (int i = 0; i < requests; ++i) {
    const std::int64_t due_ns = pacer.wait();
    time.now_ns += i == stalled ? stall_ns : 2;
    found.push_back(time.now_ns - due_ns);
  }
  return found;
}

TEST(Arrivals, AtAFixedInterval) {
  Arrivals arrivals = Arrivals::fixed(2.5);
  std::vector<std::int64_t> times(5);
  for (std::int64_t& time : times) time = arrivals.next_ns();
  EXPECT_EQ(times, (std::vector<std::int64_t>{0, 3, 5, 8, 10}));
  EXPECT_EQ(Arrivals::per_second(1000).next_ns(), 0);
}

TEST(Arrivals, PerSecondIsAnInterval) {
  Arrivals arrivals = Arrivals::per_second(4);
  arrivals.next_ns();
  EXPECT_EQ(arrivals.next_ns(), ns_per_s / 4);
}

TEST(Arrivals, PoissonHasTheMeanAndTheSpreadOfOne) {
  Arrivals arrivals = Arrivals::poisson(1000, 1729);
  constexpr int gaps = 200'000;
  int shorter_than_mean = 0;
  std::int64_t last = 0;
  for (int i = 0; i < gaps; ++i) {
    const std::int64_t next = arrivals.next_ns();
    ASSERT_GE(next, last);
    if (next - last < 1000) ++shorter_than_mean;
    last = next;
  }
  EXPECT_NEAR(static_cast<double>(last) / gaps, 1000, 10);
  // 1 - 1/e, the share of gaps below their mean.
  EXPECT_NEAR(static_cast<double>(shorter_than_mean) / gaps, 0.632, 0.005);
}

TEST(Arrivals, PoissonRepeatsForItsSeedOnly) {
  const auto first_ten = [](std::uint64_t seed) {
    Arrivals arrivals = Arrivals::poisson(1e6, seed);
    std::vector<std::int64_t> times(10);
    for (std::int64_t& time : times) time = arrivals.next_ns();
    return times;
  };
  EXPECT_EQ(first_ten(1), first_ten(1));
  EXPECT_NE(first_ten(1), first_ten(2));
}

TEST(Arrivals, UselessIntervalsAreHarmless) {
  for (const double interval : {-1.0, 0.0, std::numeric_limits<double>::quiet_NaN()}) {
    Arrivals arrivals = Arrivals::fixed(interval);
    arrivals.next_ns();
    EXPECT_EQ(arrivals.next_ns(), 0) << interval;
  }
  for (const double rate : {0.0, -1.0, 1e-300}) {
    Arrivals arrivals = Arrivals::per_second(rate);
    for (int i = 0; i < 3; ++i) arrivals.next_ns();
    EXPECT_EQ(arrivals.next_ns(), 9'000'000'000'000'000'000) << rate;
  }
}

TEST(Pacer, NothingWaitsWhereNothingStalls) {
  EXPECT_EQ(latencies(Arrivals::fixed(10), 4, -1, 0), (std::vector<std::int64_t>{2, 2, 2, 2}));
}

TEST(Pacer, AStallShowsInThoseThatHadToWait) {
  // Due at 0, 10, 20, 30, 40 and 50. The second request ends at 45, so the later ones start late,
  // each when the one before ends.
  EXPECT_EQ(latencies(Arrivals::fixed(10), 6, 1, 35),
            (std::vector<std::int64_t>{2, 35, 27, 19, 11, 3}));
}

TEST(Pacer, CatchesUp) {
  EXPECT_EQ(latencies(Arrivals::fixed(10), 8, 1, 35).back(), 2);
}

TEST(Pacer, ARateTooHighFallsBehindForGood) {
  const auto found = latencies(Arrivals::fixed(1), 100, -1, 0);
  EXPECT_EQ(found.front(), 2);
  EXPECT_EQ(found.back(), 101);  // a request takes 2 ns and they arrive every 1 ns
}

TEST(Pacer, CountsFromTheFirstWait) {
  SimulatedTime time;
  Pacer pacer(Arrivals::fixed(10), time.clock());
  time.now_ns = 70'000;
  EXPECT_EQ(pacer.wait(), 70'000);
  EXPECT_EQ(pacer.wait(), 70'010);
}

TEST(Pacer, OnTheRealClockNeverReturnsEarly) {
  const PaceClock clock = pace_clock_of_this_host();
  Pacer pacer(Arrivals::fixed(300'000), clock);
  for (int i = 0; i < 10; ++i) {
    const std::int64_t due_ns = pacer.wait();
    EXPECT_GE(clock.now_ns(), due_ns);
  }
}

TEST(Pacer, TimingCountsFromTheMomentIntended) {
  const TickClock& clock = TickClock::of_this_host();
  LatencyHistogram histogram;
  { const LatencyTiming timing(histogram, clock.now_ns() - ns_per_s); }
  { const LatencyTiming timing(histogram); }
  EXPECT_EQ(histogram.total(), 2U);
  EXPECT_GE(histogram.max_ns(), ns_per_s);
  EXPECT_LT(histogram.quantile_ns(0.5), ns_per_s);
}

}  // namespace
}  // namespace assay
