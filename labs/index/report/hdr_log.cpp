#include <assay/index/report/hdr_log.hpp>

#include <assay/base/units.hpp>
#include <assay/measure/latency/hdr_encoding.hpp>

#include <cstdio>
#include <ctime>

namespace assay::index {
namespace {

constexpr double ns_per_unit = ns_per_ms;  // the log's Interval_Max is in milliseconds

std::string line_of(Operation kind, const Latencies& latencies, double run_s) {
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, ",0.000,%.3f,%.3f,", run_s,
                static_cast<double>(latencies.max_ns) / ns_per_unit);
  return "Tag=" + std::string(name_of(kind)) + numbers + encode_hdr(latencies.histogram) + "\n";
}

}  // namespace

std::string hdr_log(const RunResult& result) {
  const double run_s = static_cast<double>(result.elapsed_ns) / ns_per_s;
  const double began_s = static_cast<double>(std::time(nullptr)) - run_s;
  char start[96];
  std::snprintf(start, sizeof start, "#[StartTime: %.3f (seconds since epoch)]\n", began_s);
  std::string log = "#[Logged by assay-index]\n#[Histogram log format version 1.3]\n";
  log += start;
  log +=
      "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n";
  for (const Operation kind : all_operations) {
    const auto& latencies = result.operations[kind].latencies;
    if (latencies && latencies->count > 0) log += line_of(kind, *latencies, run_s);
  }
  return log;
}

}  // namespace assay::index
