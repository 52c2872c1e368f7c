// Purpose: runs a plug-in in a process of its own, and comes back with results whatever it does.
//
//   auto result = assay::index::supervise(options);
//   if (!result) return result.error();
//   if (result->failure) complain(result->failure->what);
//
// A plug-in that crashes, ends the process or makes no progress for options.timeout_s costs
// the run, not what was counted before. An interrupt (SIGINT, SIGTERM, SIGHUP) ends the run
// early, with its results; the second one at once.
//
// Thread safety: main thread of a process without others (it forks); once. Cost: this process
// wakes once every sampling_ms, and otherwise sleeps.
#pragma once

#include <assay/base/result.hpp>
#include <assay/index/options/options.hpp>
#include <assay/index/run/run_result.hpp>

namespace assay::index {

/// Runs it. An Error if nothing could be started; if the run ended early, the result contains the
/// failure.
Result<RunResult> supervise(const Options& options);

}  // namespace assay::index
