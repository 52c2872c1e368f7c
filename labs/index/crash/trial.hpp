// Purpose: one kill: load a store, change it, kill -9, open it again, and compare what is there.
//
//   Interrupts interrupts;
//   const TrialResult result = run_trial(plan, seed, interrupts);
//
// The plug-in is loaded only in child processes, never in this one.
// Thread safety: one thread. Cost: the work, up to plan.work_ms, and what the store takes.
#pragma once

#include <assay/index/crash/crash_plan.hpp>
#include <assay/index/crash/operation_log.hpp>
#include <assay/system/signal_block.hpp>

#include <optional>
#include <string>

namespace assay::index::crash {

/// While this lives, SIGINT, SIGTERM and SIGHUP are received as values instead of ending the
/// process. `came` is the one that came, or 0.
struct Interrupts {
  SignalBlock signals{SIGCHLD, SIGINT, SIGTERM, SIGHUP};
  int came{0};
};

enum class TrialEnd {
  verified,      // opened again and compared; see findings
  not_verified,  // did not open again, or died or hung while it did; see message
  not_run,       // died or failed before it was killed; see message
  interrupted
};

struct TrialResult {
  TrialEnd end{TrialEnd::interrupted};
  Findings findings{};
  std::string message{};  // what went wrong, or the first finding
};

/// Whether the plug-in can be loaded, so that bad input is reported before any trial.
Status can_load(const CrashPlan& plan);

TrialResult run_trial(const CrashPlan& plan, std::uint64_t seed, Interrupts& interrupts);

}  // namespace assay::index::crash
