// Purpose: what one measured process cost, and the one JSON line that says so.
//
//   std::string line = assay::to_json(report);   // {"wall_ns":1203,...,"exit":0,"signal":null}
//
// Thread safety: pure. Cost: none to the measurement; it happens after the clock stopped.
#pragma once

#include <assay/base/result.hpp>

#include <sys/resource.h>

#include <cstdint>
#include <optional>
#include <string>

namespace assay {

struct LaunchReport {
  std::int64_t wall_ns{0};
  rusage usage{};               // of the program and the children it waited for
  std::optional<int> exit{};    // absent when a signal ended it
  std::optional<int> signal{};  // absent when it exited
  int left_behind{0};           // descendants that were still running and were killed

  /// The exit code that a shell would give: the program's, or 128 + the signal's number.
  [[nodiscard]] int exit_code() const { return exit ? *exit : 128 + signal.value_or(0); }
};

/// Makes the report from what wait4 gave: the status and the resources used.
LaunchReport make_launch_report(std::int64_t wall_ns, int wait_status, const rusage& usage);

std::string to_json(const LaunchReport& report);
std::string to_json(const Error& error);

}  // namespace assay
