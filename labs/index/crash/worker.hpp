// Purpose: the process that is killed: opens a tree, loads it, then changes it until the kill.
//
//   run_worker(plan, pool, seed, log);   // in a process of its own; comes back only on failure
//
// Thread safety: makes plan.threads threads, each with keys of its own. Cost: that of the tree.
#pragma once

#include <assay/index/crash/crash_plan.hpp>
#include <assay/index/crash/operation_log.hpp>

namespace assay::index::crash {

void run_worker(const CrashPlan& plan, const std::string& pool, std::uint64_t seed,
                OperationLog& log);

}  // namespace assay::index::crash
