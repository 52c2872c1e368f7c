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

/// While this object lives, SIGINT, SIGTERM and SIGHUP do not end the process but are waited for.
/// `came` is the signal that came, or 0.
struct Interrupts {
  SignalBlock signals{SIGCHLD, SIGINT, SIGTERM, SIGHUP};
  int came{0};
};

enum class TrialEnd {
  verified,      // the store was opened again and compared: see findings
  not_verified,  // the store did not open again, or the process died or hung: see message
  // The process died or failed before it could be killed: see message.
  not_run,
  interrupted
};

struct TrialResult {
  TrialEnd end{TrialEnd::interrupted};
  Findings findings{};
  std::string message{};  // what went wrong, or else the first finding
};

/// Whether the plug-in can be loaded; checked before any trial, so that bad input is reported at
/// once.
Status can_load(const CrashPlan& plan);

TrialResult run_trial(const CrashPlan& plan, std::uint64_t seed, Interrupts& interrupts);

}  // namespace assay::index::crash
