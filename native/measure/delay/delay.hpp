// What libassay_delay.so does to a program: makes it slower by a known share.
//
//   LD_PRELOAD=libassay_delay.so ASSAY_DELAY_SHARE=0.05 ASSAY_DELAY_FILE=/tmp/delays bench
//
// It is how a slowdown of known size is made, to see whether a comparison finds it. A benchmark is
// timed by reading a clock before its loop and after it. So at each reading, the time since the
// thread's last reading is made longer by the share: the thread spins until so much more has
// passed, and only then the clock is read. Real time and CPU time both pass. The file is `Delays`,
// in the machine's own layout: how long the times between readings took by themselves, and how
// much was added; `src/assay/measure/delay.py` reads it.
//
// A share of 0 adds nothing, and reads clocks just as often: for the side that is not slowed.
#pragma once

#include <atomic>
#include <cstdint>

namespace assay {

struct Delays {
  static constexpr std::uint64_t mark = 0x31594C4544595341;  // "ASYDELY1"
  std::uint64_t format;
  std::int64_t process;
  // Time between two readings, without the delays.
  std::atomic<std::int64_t> ran_ns;
  // The delays' measured length, not the intended one.
  std::atomic<std::int64_t> added_ns;
  std::atomic<std::int64_t> readings;
};

static_assert(std::atomic<std::int64_t>::is_always_lock_free);
static_assert(sizeof(Delays) == 40);

/// The delay that one thread still has to spend. A delay cannot be shorter than a clock reading, so
/// short ones are accumulated: a loop that reads the clock in each iteration is slowed by the same
/// share.
class OwedDelay {
 public:
  /// How long to wait now, in ns, after the program ran for `ran_ns` more; 0 while the accumulated
  /// delay is too short.
  std::int64_t wait_ns_after(std::int64_t ran_ns, double share) noexcept {
    owed_ns_ += static_cast<double>(ran_ns) * share;
    return owed_ns_ < shortest_ns ? 0 : static_cast<std::int64_t>(owed_ns_);
  }

  /// Subtracts a wait that took `took_ns`. An excess of up to 200 ns, one clock reading, shortens
  /// the next wait; a larger excess, when another program had the CPU, is dropped.
  void subtract_wait(std::int64_t took_ns) noexcept {
    owed_ns_ -= static_cast<double>(took_ns);
    if (owed_ns_ < -shortest_ns) owed_ns_ = 0;
  }

 private:
  static constexpr double shortest_ns = 200;
  double owed_ns_{0};
};

}  // namespace assay
