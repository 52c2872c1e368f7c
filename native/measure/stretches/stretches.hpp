// What libassay_stretches.so writes: when a Google Benchmark executable was being measured.
//
//   LD_PRELOAD=libassay_stretches.so ASSAY_STRETCHES_FILE=/tmp/stretches bench
//
// Google Benchmark asks for the CPU time used where a loop begins, where it ends, and where a
// benchmark pauses or resumes its timing; it does so at no other time. So the time from a thread's
// first such moment to its second is a stretch that is measured, and so is the time from the third
// to the fourth, and so on. The file is a header and then moments, in the machine's own layout:
// `stretches.py` in `src/assay/measure/profile/sampled` reads it.
#pragma once

#include <atomic>
#include <cstdint>

namespace assay {

struct Moment {
  std::int64_t real_ns;  // CLOCK_MONOTONIC
  std::int64_t cpu_ns;   // the CPU time that Google Benchmark got
  std::int64_t thread;   // the kernel's thread id
  // The main thread's wait for a CPU since its start, at most 1 ms out of date; 0 in other threads.
  std::int64_t delay_ns;
};

struct Stretches {
  static constexpr std::uint64_t mark = 0x3243545254535941;  // "AYSTRTC2"
  // Moments that are stored; more are only counted.
  static constexpr std::uint64_t most = 2'000'000;
  std::uint64_t format;
  std::int64_t process;
  std::atomic<std::uint64_t> count;
  Moment moments[most];  // NOLINT(modernize-avoid-c-arrays): a file's layout
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(sizeof(Moment) == 32);

}  // namespace assay
