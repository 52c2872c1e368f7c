// Purpose: what the bridge keeps for the whole process, in one place.
//
//   assay::session().latency_rows.arrive("latency");
//   assay::session().unavailable.add("cycles: not supported on this host");
//
// Google Benchmark calls our reporters and the user's benchmarks and passes neither of them an
// argument of ours, so what they share is found here. It is never destroyed, because
// exit handlers and threads of the benchmarks may run after the destructors of `main`.
//
// Thread safety: each member says its own. Cost: none inside a timed loop.
#pragma once

#include <assay/gbench/latency_rows.hpp>
#include <assay/gbench/unavailable_counters.hpp>

#include <sys/types.h>

#include <iosfwd>
#include <string>

namespace assay {

/// How the results on standard output end if the process exits before they are finished.
struct UnfinishedOutput {
  std::ostream* stream{nullptr};  // null: nothing is unfinished
  pid_t owner{0};                 // a forked child must not write it
  std::string closing{};
};

struct Session {
  LatencyRows latency_rows{};
  UnavailableCounters unavailable{};
  UnfinishedOutput unfinished{};  // main thread only
};

Session& session();

}  // namespace assay
