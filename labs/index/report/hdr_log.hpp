// Purpose: latencies as a HdrHistogram log, which HistogramLogAnalyzer and similar tools read.
//
//   file << assay::index::hdr_log(result);
//
// One line for each kind of operation, tagged with its name: the whole run is one interval.
// Thread safety: pure. Cost: after the measurement.
#pragma once

#include <assay/index/run/run_result.hpp>

#include <string>

namespace assay::index {

std::string hdr_log(const RunResult& result);

}  // namespace assay::index
