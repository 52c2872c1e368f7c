// Purpose: one kill: load, work, kill -9, open again, look.
//
//   Interrupts interrupts;
//   const TrialResult result = run_trial(plan, seed, interrupts);
//
// The plug-in is loaded in processes made for the purpose only, never in this one.
// Thread safety: one thread. Cost: the work, up to plan.work_ms, and what the store takes.
#pragma once

#include <assay/index/crash/crash_plan.hpp>
#include <assay/index/crash/operation_log.hpp>
#include <assay/system/signal_block.hpp>

#include <optional>
#include <string>

namespace assay::index::crash {

/// Ctrl-C and its like, as values while this lives; and the one that came, or 0.
struct Interrupts {
  SignalBlock signals{SIGCHLD, SIGINT, SIGTERM, SIGHUP};
  int came{0};
};

enum class TrialEnd {
  verified,      // opened again and looked at: findings
  not_verified,  // did not open again, or died or hung at it: message
  not_run,       // died or failed before it was killed: message
  interrupted
};

struct TrialResult {
  TrialEnd end{TrialEnd::interrupted};
  Findings findings{};
  std::string message{};  // what went wrong, or the first finding
};

/// Whether the plug-in is one: bad input is found before anything is done.
Status can_load(const CrashPlan& plan);

TrialResult run_trial(const CrashPlan& plan, std::uint64_t seed, Interrupts& interrupts);

}  // namespace assay::index::crash
