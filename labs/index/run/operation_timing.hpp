// Purpose: what is timed around one operation: nothing, its latency, or its latency since the
// moment at which it was due.
//
//   Sampled timing(clocked, gaps);
//   for (; left > 0 && timing.may_begin(); --left) {
//     ok = timing.around(kind, [&] { return operate(); });
//   }
//
// Each is a policy of the worker's loop, so that a run that takes no latency pays for none.
// Thread safety: one per thread. Cost: Untimed none; Timed about 35 ns, of which two thirds are
// two clock readings; Sampled that for each operation drawn, and 0.3 ns for the others; Paced: see
// pacing.hpp.
#pragma once

#include <assay/base/random.hpp>
#include <assay/index/run/quick_ticks.hpp>
#include <assay/index/run/shared_results.hpp>
#include <assay/measure/latency/pacing.hpp>
#include <assay/system/tick_clock.hpp>

#include <cmath>
#include <limits>

namespace assay::index {

/// Times operations, and records each latency in the histogram of its kind.
struct LatencyClock {
  const TickClock* clock{&TickClock::of_this_host()};
  PerOperation<SharedHistogram*> histograms{};
  bool is_shared{false};
  bool is_quick{quick_ticks::exist && clock->source() == "tsc"};

  template <class Operate>
  [[nodiscard]] bool timed(Operation kind, const Operate& operate) const {
    const std::uint64_t began = is_quick ? quick_ticks::begin() : clock->begin();
    const bool succeeded = operate();
    const std::uint64_t ended = is_quick ? quick_ticks::end() : clock->end();
    histograms[kind]->record(clock->ns_between(began, ended), is_shared);
    return succeeded;
  }
};

/// Draws after how many operations the next one is timed: gaps are geometrically distributed, so
/// that each operation is timed with the same probability.
class SamplingGaps {
 public:
  SamplingGaps(double share, std::uint64_t seed)
      : random_(seed), per_log_(share < 1 ? 1 / std::log1p(-share) : 0) {}

  std::uint64_t next() {
    const double gap = std::log1p(-random_.unit()) * per_log_;
    return gap < 1e18 ? static_cast<std::uint64_t>(gap) + 1 : std::uint64_t{1} << 60U;
  }

 private:
  Random random_;
  double per_log_;
};

struct Untimed {
  static constexpr bool may_begin() { return true; }
  template <class Operate>
  static bool around(Operation /*kind*/, const Operate& operate) {
    return operate();
  }
};

struct Timed {
  LatencyClock clocked;

  static constexpr bool may_begin() { return true; }
  template <class Operate>
  [[nodiscard]] bool around(Operation kind, const Operate& operate) const {
    return clocked.timed(kind, operate);
  }
};

class Sampled {
 public:
  Sampled(const LatencyClock& clocked, SamplingGaps gaps)
      : clocked_(clocked), gaps_(gaps), left_(gaps_.next()) {}

  static constexpr bool may_begin() { return true; }
  template <class Operate>
  [[nodiscard]] bool around(Operation kind, const Operate& operate) {
    if (--left_ != 0) [[likely]]
      return operate();
    left_ = gaps_.next();
    return clocked_.timed(kind, operate);
  }

 private:
  LatencyClock clocked_;
  SamplingGaps gaps_;
  std::uint64_t left_;
};

/// The policy of an open loop: latency counts from the moment at which the operation was due.
class Paced {
 public:
  Paced(const LatencyClock& clocked, SamplingGaps gaps, Pacer pacer, const std::atomic<bool>& stop)
      : clocked_(clocked),
        gaps_(gaps),
        pacer_(std::move(pacer)),
        stop_(stop),
        left_(gaps_.next()) {}

  bool may_begin() {
    due_ns_ = pacer_.wait();
    return !stop_.load(std::memory_order_relaxed);
  }

  template <class Operate>
  [[nodiscard]] bool around(Operation kind, const Operate& operate) {
    const bool succeeded = operate();
    if (--left_ != 0) return succeeded;
    left_ = gaps_.next();
    clocked_.histograms[kind]->record(clocked_.clock->now_ns() - due_ns_, clocked_.is_shared);
    return succeeded;
  }

 private:
  LatencyClock clocked_;
  SamplingGaps gaps_;
  Pacer pacer_;
  const std::atomic<bool>& stop_;
  std::uint64_t left_;
  std::int64_t due_ns_{0};
};

}  // namespace assay::index
