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
  std::atomic<std::int64_t> ran_ns;    // between two readings, the delays left out
  std::atomic<std::int64_t> added_ns;  // as measured, not as was wanted
  std::atomic<std::int64_t> readings;
};

static_assert(std::atomic<std::int64_t>::is_always_lock_free);
static_assert(sizeof(Delays) == 40);

/// What one thread is to be delayed by. A delay cannot be shorter than a look at the clock, so
/// short ones are saved up: a loop that reads the clock itself is slowed by the same share.
class OwedDelay {
 public:
  /// How long to wait in ns, now that `ran_ns` more have passed; 0: not yet.
  std::int64_t after(std::int64_t ran_ns, double share) noexcept {
    owed_ns_ += static_cast<double>(ran_ns) * share;
    return owed_ns_ < shortest_ns ? 0 : static_cast<std::int64_t>(owed_ns_);
  }

  /// A wait took so long. Where it was too long by at most the 200 ns of a look at the clock, the
  /// next one is shorter; where by more, because another program had the CPU, that is forgotten.
  void waited(std::int64_t took_ns) noexcept {
    owed_ns_ -= static_cast<double>(took_ns);
    if (owed_ns_ < -shortest_ns) owed_ns_ = 0;
  }

 private:
  static constexpr double shortest_ns = 200;
  double owed_ns_{0};
};

}  // namespace assay
