// Purpose: a run as PiBench prints it, for scripts that read that.
//
//   std::cout << assay::index::pibench_report(result, read_environment());
//
// There are two layouts: that of its later version (throughput by kind, samples, latencies) and
// that of its first. Counters are printed only where the host has them; what PiBench has no line
// for (read-modify-write) is in the sums. Thread safety: pure, but for read_environment().
// Cost: after the measurement.
#pragma once

#include <assay/index/run/run_result.hpp>

#include <string>

namespace assay::index {

struct Environment {
  std::string time{};
  unsigned cpus{0};
  std::string cpu{};
  std::string cache{};
  std::string kernel{};
};

/// Reads /proc/cpuinfo and calls uname.
Environment read_environment();

std::string pibench_report(const RunResult& result, const Environment& environment);
std::string pibench_v1_report(const RunResult& result, const Environment& environment);

}  // namespace assay::index
