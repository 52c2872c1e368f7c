// Purpose: perf_event_open with a reason when it fails.
//
//   auto file = assay::perf_open(event, {.cpu = 0, .pid = -1});
//
// Thread safety: any thread. Cost: one system call, about 10 us, before the measurement.
#pragma once

#include <assay/base/result.hpp>
#include <assay/measure/counters/counter_event.hpp>
#include <assay/system/file_descriptor.hpp>

namespace assay {

struct PerfTarget {
  int cpu{-1};  // -1: whichever the thread runs on
  int pid{0};   // 0: this thread; -1: everything on that CPU
  int leader{-1};
  bool inherit{false};
  bool is_uncore{false};  // counts no code, so user and kernel cannot be told apart
};

/// Opens a counter, which is still disabled. A read() of its descriptor gives a CounterReading.
Result<FileDescriptor> perf_open(const CounterEvent& event, const PerfTarget& target);

/// Why the kernel said no, in words, with what to try.
Error perf_error(const CounterEvent& event, int code);

}  // namespace assay
