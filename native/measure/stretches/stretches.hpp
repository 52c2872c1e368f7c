// What libassay_stretches.so writes: when a Google Benchmark executable was being measured.
//
//   LD_PRELOAD=libassay_stretches.so ASSAY_STRETCHES_FILE=/tmp/stretches bench
//
// The engine asks for the CPU time used where a loop begins, where it ends, and where a benchmark
// pauses or resumes its timing; it does so at no other time. So the time from the first to the
// second moment of a thread is a stretch that is measured, and from the third to the fourth, and so
// on. The file is a header and then moments, in the machine's own layout: `stretches.py` in
// `src/assay/measure/profile/sampled` reads it.
#pragma once

#include <atomic>
#include <cstdint>

namespace assay {

struct Moment {
  std::int64_t real_ns;   // CLOCK_MONOTONIC
  std::int64_t cpu_ns;    // as the engine got it
  std::int64_t thread;    // as the kernel numbers it
  std::int64_t delay_ns;  // the main thread's wait for a CPU so far, up to 1 ms old; others: 0
};

struct Stretches {
  static constexpr std::uint64_t mark = 0x3243545254535941;  // "AYSTRTC2"
  static constexpr std::uint64_t most = 2'000'000;           // moments: more are counted, not kept
  std::uint64_t format;
  std::int64_t process;
  std::atomic<std::uint64_t> count;
  Moment moments[most];  // NOLINT(modernize-avoid-c-arrays): a file's layout
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(sizeof(Moment) == 32);

}  // namespace assay
