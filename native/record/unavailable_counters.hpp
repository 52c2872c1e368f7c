// Purpose: why counters that benchmarks asked for are not there, until their rows are written.
//
//   assay::unavailable_counters::add("cycles: not supported on this host");
//   assay::unavailable_counters::reason("cycles");   // "not supported ...", or nothing
//
// Google Benchmark carries numbers from a benchmark to its row and nothing else: a counter
// without a value travels as NaN, and its reason here.
//
// Thread safety: any thread; a lock. Cost: none inside a timed loop.
#pragma once

#include <optional>
#include <string>

namespace assay::unavailable_counters {

void add(const std::string& line);
std::optional<std::string> reason(const std::string& name);

}  // namespace assay::unavailable_counters
