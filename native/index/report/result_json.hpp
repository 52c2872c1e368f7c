// Purpose: a run as Google Benchmark JSON plus `assay` objects: docs/reference/index-json.md.
//
//   const nlohmann::ordered_json document = assay::index::to_json(result, context);
//
// One row for each kind of operation that was run and one for all of them.
// Thread safety: pure, but for context_of_this_host(). Cost: after the measurement.
#pragma once

#include <assay/index/run/run_result.hpp>

#include <nlohmann/json.hpp>

namespace assay::index {

/// `context` without the run: date, host, executable, our facts. About 5 ms.
nlohmann::ordered_json context_of_this_host();

nlohmann::ordered_json to_json(const RunResult& result, nlohmann::ordered_json context);

/// "stlmap/read", "stlmap/all"; the label is the plug-in's name unless one was given.
std::string row_name(const RunResult& result, const std::string& kind);

}  // namespace assay::index
