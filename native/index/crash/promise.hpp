// Purpose: which plug-ins promise that a write that returned true survives the process.
//
//   promise_of("rocksdb")   // acknowledged; none when ASSAY_ROCKSDB_WAL=0
//
// One that is not in the table promises it: the check is for those that keep something.
// Thread safety: reads the environment. Cost: none.
#pragma once

#include <assay/index/crash/crash_plan.hpp>

#include <string>
#include <string_view>

namespace assay::index::crash {

Promise promise_of(std::string_view plugin);

std::string name_of(Promise promise);

}  // namespace assay::index::crash
