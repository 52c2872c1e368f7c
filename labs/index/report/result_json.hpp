// Purpose: a run as Google Benchmark JSON plus `assay` objects: docs/reference/index-json.md.
//
//   const nlohmann::ordered_json document = assay::index::to_document(result);
//
// One row for each kind of operation that was run and one for all of them.
// Thread safety: any thread. Cost: after the measurement; gathering facts about the host takes
// about 10 ms.
#pragma once

#include <assay/index/run/run_result.hpp>

#include <nlohmann/json.hpp>

namespace assay::index {

nlohmann::ordered_json to_document(const RunResult& result);

/// A row's name: "stlmap/read", "stlmap/all". A label, if one was given, stands for the plug-in's
/// name.
std::string row_name(const RunResult& result, const std::string& kind);

}  // namespace assay::index
