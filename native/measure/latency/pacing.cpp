#include <assay/measure/latency/pacing.hpp>

#include <assay/base/units.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

namespace assay {
namespace {

// The last part of a wait, spent reading the clock: a sleep may end that much too late.
constexpr std::int64_t spin_ns = 100 * ns_per_us;
// The latest arrival in ns, just below the largest std::int64_t: 285 years.
constexpr double latest_ns = 9e18;

double clamped_interval_ns(double interval_ns) {
  return interval_ns > 0 ? std::min(interval_ns, latest_ns) : 0;
}

void wait_until(const TickClock& clock, std::int64_t until_ns) {
  const std::int64_t left_ns = until_ns - clock.now_ns();
  if (left_ns > spin_ns) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(left_ns - spin_ns));
  }
  while (clock.now_ns() < until_ns) {
  }
}

}  // namespace

Arrivals::Arrivals(Gaps gaps, double interval_ns, std::uint64_t seed)
    : gaps_(gaps), interval_ns_(clamped_interval_ns(interval_ns)), random_(seed) {}

Arrivals Arrivals::fixed(double interval_ns) {
  return {Gaps::equal, interval_ns, 0};
}

Arrivals Arrivals::per_second(double rate) {
  return fixed(rate > 0 ? ns_per_s / rate : latest_ns);
}

Arrivals Arrivals::poisson(double mean_interval_ns, std::uint64_t seed) {
  return {Gaps::exponential, mean_interval_ns, seed};
}

std::int64_t Arrivals::next_ns() {
  if (gaps_ == Gaps::equal) {
    next_ns_ = arrived_ * interval_ns_;  // a product, not a sum, whose rounding errors would add up
  } else {
    next_ns_ -= std::log(1 - random_.unit()) * interval_ns_;
  }
  arrived_ += 1;
  return std::llround(std::min(next_ns_, latest_ns));
}

PaceClock pace_clock_of_this_host() {
  const TickClock& clock = TickClock::of_this_host();
  return {.now_ns = [&clock] { return clock.now_ns(); },
          .wait_until_ns = [&clock](std::int64_t until_ns) { wait_until(clock, until_ns); }};
}

Pacer::Pacer(Arrivals arrivals, PaceClock clock) : arrivals_(arrivals), clock_(std::move(clock)) {}

std::int64_t Pacer::wait() {
  if (!std::exchange(has_begun_, true)) began_ns_ = clock_.now_ns();
  const std::int64_t due_ns = began_ns_ + arrivals_.next_ns();
  clock_.wait_until_ns(due_ns);
  return due_ns;
}

}  // namespace assay
