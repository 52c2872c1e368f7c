// Purpose: the process that opens again what another was killed over, and says what is there.
//
//   run_verifier(plan, pool, log);   // in a process of its own; log.findings says the rest
//
// Thread safety: one thread. Cost: a find for each key, and one scan over everything.
#pragma once

#include <assay/index/crash/crash_plan.hpp>
#include <assay/index/crash/operation_log.hpp>

namespace assay::index::crash {

void run_verifier(const CrashPlan& plan, const std::string& pool, OperationLog& log);

/// What a tree holds beside what the log says; without the time to open it.
Findings verify(tree_api& tree, const CrashPlan& plan, OperationLog& log);

}  // namespace assay::index::crash
