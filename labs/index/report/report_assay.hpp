// Purpose: a run as text for a person at a terminal.
//
//   std::cout << assay::index::assay_report(result);
//
// Thread safety: pure. Cost: after the measurement.
#pragma once

#include <assay/index/run/run_result.hpp>

#include <string>

namespace assay::index {

std::string assay_report(const RunResult& result);

}  // namespace assay::index
