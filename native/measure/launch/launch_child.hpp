// Purpose: starts the program to measure as a child process, without copying the parent's memory.
//
//   assay::LaunchChild child{.arguments = argv, .signal_mask = mask};
//   assay::Result<pid_t> pid = assay::start(child);
//
// Thread safety: call it from the only thread of a process; the child dies with that thread.
//
// Cost to the measurement: parent and child share their memory until exec, so there is no
// page-table copy to pay for.
#pragma once

#include <assay/base/result.hpp>

#include <sched.h>
#include <sys/types.h>

#include <csignal>

namespace assay {

/// What the child needs, and where it stores errno when exec fails: both processes share this
/// memory until exec. A descriptor of -1 leaves the child's own one unchanged.
struct LaunchChild {
  char* const* arguments{nullptr};
  char* const* environment{nullptr};  // null: the parent's environment
  sigset_t signal_mask{};
  int output{-1};
  int errors{-1};
  int folder{-1};           // descriptor of the working directory
  bool own_session{false};  // leads a session and a process group of its own
  pid_t parent{-1};         // set by start
  int failed_errno{0};      // set by the child
};

/// The program's process id. An Error means that it could not be started.
Result<pid_t> start(LaunchChild& child);

}  // namespace assay
