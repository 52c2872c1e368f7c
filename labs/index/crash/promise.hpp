// Purpose: which plug-ins promise that a write that returned true survives the process.
//
//   promise_of("rocksdb")   // acknowledged; none when ASSAY_ROCKSDB_WAL=0
//
// A plug-in that is not in the table counts as promising it, since the check is meant for stores.
// Thread safety: reads the environment. Cost: none.
#pragma once

#include <assay/index/crash/crash_plan.hpp>

#include <string>
#include <string_view>

namespace assay::index::crash {

Promise promise_of(std::string_view plugin);

std::string name_of(Promise promise);

}  // namespace assay::index::crash
