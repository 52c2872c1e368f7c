// Purpose: starts work at a rate, whether or not the work before is done: an open loop.
//
//   assay::Pacer pacer(assay::Arrivals::fixed(10'000));        // every 10 us
//   for (int i = 0; i < requests; ++i) {
//     const assay::LatencyTiming timing(histogram, pacer.wait());
//     serve();
//   }
//
// A loop that sends the next request when the last is answered sends none during a stall, and
// so measures one slow request where users would have met hundreds (coordinated omission).
// Here every request has a moment at which it is meant to begin; what it waited since then
// is part of its latency, and late requests follow at once, one after the other.
//
// Units: ns. Errors: none. Thread safety: one pacer per thread; give each its share of the rate and
// a seed of its own.
// Cost: the waiting itself, by sleeping and, for the last 100 us, by reading the clock: a
// paced thread keeps its processor busy. Outside of that, one clock reading a request.
#pragma once

#include <assay/base/random.hpp>
#include <assay/system/tick_clock.hpp>

#include <cstdint>
#include <functional>

namespace assay {

/// When requests arrive, in ns from the beginning. An interval that is negative or not a number
/// counts as 0: everything is due at once.
class Arrivals {
 public:
  /// Arrivals at 0, interval_ns, 2 * interval_ns and so on.
  static Arrivals fixed(double interval_ns);
  /// At equal intervals of 1 s / rate; with a rate of 0 or less nothing follows the first.
  static Arrivals per_second(double rate);

  /// A Poisson process: gaps are independent and exponentially distributed with this mean.
  static Arrivals poisson(double mean_interval_ns, std::uint64_t seed);

  /// The next arrival; never earlier than the one before.
  std::int64_t next_ns();

 private:
  enum class Gaps : std::uint8_t { equal, exponential };
  Arrivals(Gaps gaps, double interval_ns, std::uint64_t seed);

  Gaps gaps_;
  double interval_ns_;
  Random random_;
  double next_ns_{0};
  double arrived_{0};  // how many requests have arrived
};

/// The clock of a Pacer. It is a parameter so that tests need not wait.
struct PaceClock {
  std::function<std::int64_t()> now_ns;
  std::function<void(std::int64_t)> wait_until_ns;  // returns at once for a moment in the past
};

/// TickClock::of_this_host(), the clock that LatencyTiming counts from as well.
PaceClock pace_clock_of_this_host();

class Pacer {
 public:
  /// Paces by these arrivals, which begin with the first wait().
  explicit Pacer(Arrivals arrivals, PaceClock clock = pace_clock_of_this_host());

  /// Waits until the next arrival is due, or not at all when it is late already, and returns the
  /// moment at which it was due, in ns of the clock. Arrivals count from the first call.
  std::int64_t wait();

 private:
  Arrivals arrivals_;
  PaceClock clock_;
  std::int64_t began_ns_{0};
  bool has_begun_{false};
};

}  // namespace assay
