// Purpose: child processes of cases, none of which outlives its parent.
//
//   const pid_t child = fork_child();
//   if (child == 0) _exit(0);
//   if (auto trouble = wait_for_success(child)) return trouble;
//
// Thread safety: any thread; a child dies with the thread that forked it.
// Cost: one prctl() in the child, about 0.1 us of the child's time.
#pragma once

#include <assay/os/harness/case.hpp>

#include <sys/types.h>

namespace assay::os {

/// fork(), and in the child: killed when the parent ends. -1 and errno as fork().
pid_t fork_child();

/// Waits for the child; trouble unless it exited with 0. A pid of -1 is a fork that failed.
Trouble wait_for_success(pid_t child);

/// Kills and waits: for a child in the way of an error. Nothing for a pid below 1.
void end_child(pid_t child);

}  // namespace assay::os
