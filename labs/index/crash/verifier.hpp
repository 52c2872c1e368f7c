// Purpose: the process that opens a store again after its process was killed, and reports what is
// in it.
//
//   run_verifier(plan, pool, log);   // in a process of its own; log.findings says the rest
//
// Thread safety: one thread. Cost: a find for each key, and one scan over everything.
#pragma once

#include <assay/index/crash/crash_plan.hpp>
#include <assay/index/crash/operation_log.hpp>

namespace assay::index::crash {

void run_verifier(const CrashPlan& plan, const std::string& pool, OperationLog& log);

/// Compares what a tree holds with what the log says. Leaves reopen_ns and reopen_cpu_ns at 0.
Findings verify(tree_api& tree, const CrashPlan& plan, OperationLog& log);

}  // namespace assay::index::crash
