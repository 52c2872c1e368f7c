// Purpose: one row of `benchmarks`: what Google Benchmark wrote, made safe and completed.
//
//   nlohmann::ordered_json row = nlohmann::ordered_json::parse(written);  // by the library
//   assay::complete_row(row, texts, counters, {{"cycles", "not supported on this host"}});
//   row["assay"]["memory"] = assay::json_memory(use);
//
// Google Benchmark's writer prints NaN and Infinity as bare words and leaves control
// characters in names as they are, so texts and counters are entered here instead.
//
// Thread safety: pure. Cost: none to the measurement; rows are written between benchmarks.
#pragma once

#include <assay/measure/allocations/allocation_tally.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace assay {

/// Texts by key. A key that the library's row has gets this text; another is added when its text is
/// not empty.
using RowTexts = std::map<std::string, std::string>;

/// Enters texts and counters. A counter that is not a finite number goes to assay.unavailable, with
/// its reason from `reasons`.
void complete_row(nlohmann::ordered_json& row, const RowTexts& texts,
                  const std::map<std::string, double>& counters,
                  const std::map<std::string, std::string>& reasons = {});

/// What a benchmark did to the heap over some iterations.
struct MemoryUse {
  AllocationTally tally{};
  std::optional<std::int64_t> peak_bytes{};
  std::vector<std::uint64_t> size_classes{};  // indexed as hooks::SizeClasses; empty: not counted
  double iterations{1};
  std::int64_t threads{1};
};

/// `assay.memory` as schema/README.md describes it.
nlohmann::ordered_json json_memory(const MemoryUse& use);

/// `assay.memory` from the counters of report_allocations(): exact, over the whole timed
/// loop. Absent when the benchmark reported none.
std::optional<nlohmann::ordered_json> json_memory(const std::map<std::string, double>& counters,
                                                  std::int64_t threads);

/// What a row says about one histogram.
struct LatencyRow {
  std::string encoded{};
  std::uint64_t clamped_below{0};
  std::uint64_t clamped_above{0};
};

/// Enters `assay.histograms`, and `assay.clamped` for histograms that counted a value outside their
/// range.
void put_latencies(nlohmann::ordered_json& row, const std::map<std::string, LatencyRow>& rows);

/// The value as JSON text with every line indented by `indent`. Bytes that are not UTF-8 become
/// U+FFFD.
std::string to_text(const nlohmann::ordered_json& value, int indent);

}  // namespace assay
