// Purpose: one kill: load, work, kill -9, open again, look.
//
//   Signals signals;
//   const TrialResult result = run_trial(plan, seed, signals);
//
// The plug-in is loaded in processes made for the purpose only, never in this one.
// Thread safety: one thread. Cost: the work, up to plan.work_ms, and what the store takes.
#pragma once

#include <assay/index/crash/child.hpp>
#include <assay/index/crash/crash_plan.hpp>
#include <assay/index/crash/operation_log.hpp>

#include <optional>
#include <string>

namespace assay::index::crash {

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

/// Why the plug-in is none: bad input, found before anything is done.
std::optional<Error> cannot_load(const CrashPlan& plan);

TrialResult run_trial(const CrashPlan& plan, std::uint64_t seed, Signals& signals);

}  // namespace assay::index::crash
