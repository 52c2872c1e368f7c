// Purpose: run one program and measure the whole process, with next to nothing in between.
//
//   if (auto ready = assay::prepare_launch(options); !ready) return ready.error();
//   assay::Result<assay::LaunchReport> report = assay::launch(options);
//
// Thread safety: call it from the only thread of a process: it blocks SIGTERM,
// SIGINT, SIGHUP and SIGCHLD and waits for them. Should any of the first three
// arrive, the program is killed and the report says so.
//
// Cost to the measurement: the clock runs from just before the program is made to
// just after it was reaped. The launching process shares its memory with the child
// until exec, so there is no page-table copy to pay for; its own peak resident size
// is the least that ru_maxrss can show, which is why this is a tiny program of its own.
#pragma once

#include <assay/measure/launch/launch_options.hpp>
#include <assay/measure/launch/launch_report.hpp>

namespace assay {

/// Pins this process where asked, keeps the report from the program to come, and has
/// the kernel kill this process when its parent ends. PR_SET_PDEATHSIG follows the
/// parent's *thread*: start assay-launch from one that outlives it.
Status prepare_launch(const LaunchOptions& options);

/// Runs the program to its end. An Error means that it could not be started.
Result<LaunchReport> launch(const LaunchOptions& options);

}  // namespace assay
