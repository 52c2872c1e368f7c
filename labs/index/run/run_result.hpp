// Purpose: the result of a run, with everything that its reports need.
//
//   const RunResult result = gather(options, results);
//   const double rate = result.per_second(result.all.completed);
//
// Thread safety: a value. Cost: none to the measurement.
#pragma once

#include <assay/index/options/options.hpp>
#include <assay/index/run/series.hpp>
#include <assay/index/run/shared_results.hpp>
#include <assay/measure/latency/latency_histogram.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay::index {

struct Latencies {
  LatencyHistogram histogram{};
  std::int64_t min_ns{0};
  std::int64_t max_ns{0};
  double mean_ns{0};
  std::uint64_t count{0};
  std::uint64_t clamped_below{0};
  std::uint64_t clamped_above{0};

  void add(const SharedHistogram& results);
};

struct OperationResult {
  std::uint64_t completed{0};
  std::uint64_t succeeded{0};
  std::optional<Latencies> latencies{};
};

struct CounterResult {
  std::string name{};
  std::optional<double> count{};
  std::string reason{};  // why there is no count: "name: reason"
};

struct Failure {
  std::string what{};
  Phase phase{Phase::starting};
  // 2: bad input; 3: the plug-in failed; 128 + signal: interrupted.
  int exit_code{0};
};

struct RunResult {
  Options options{};
  std::string plugin_path{};
  PerOperation<OperationResult> operations{};
  OperationResult all{};
  Series series{};
  std::vector<CounterResult> counters{};
  std::int64_t elapsed_ns{0};
  std::int64_t cpu_ns{0};
  std::int64_t open_ns{0};
  std::int64_t load_ns{0};
  std::int64_t verify_ns{0};
  std::uint64_t loaded{0};
  std::uint64_t verified_records{0};
  std::int64_t loaded_rss_bytes{0};
  std::int64_t peak_rss_bytes{0};
  double driver_ns{0};
  // What may make the plug-in's results wrong although it ran.
  std::string warning{};
  // The order of keys in scans; empty if no scan was checked.
  std::string scan_order{};
  bool has_run{false};    // whether the phase of operations began
  int interrupted_by{0};  // a signal; 0: not interrupted
  std::optional<Failure> failure{};

  [[nodiscard]] double per_second(std::uint64_t count) const {
    return elapsed_ns > 0 ? static_cast<double>(count) * 1e9 / static_cast<double>(elapsed_ns) : 0;
  }
};

/// Collects the result from `results`. It never fails: what the run did not reach is 0.
RunResult gather(const Options& options, const SharedResults& results);

}  // namespace assay::index
