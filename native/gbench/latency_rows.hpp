// Purpose: brings the histograms that a benchmark's threads recorded to the benchmark's row.
//
//   const std::string name = LatencyRows::id_name("latency");
//   rows.arrive("latency");                             // each thread, before the loop
//   const auto all = rows.leave("latency", histogram);  // each thread, after it
//   if (all && all->id) counters[name] = static_cast<double>(*all->id);  // the last one
//   const auto histograms = rows.of(counters);  // the reporter, later
//
// A reporter knows a run by nothing but its counters, and a benchmark runs several times before and
// beside the run that is reported. So each run's histogram gets an id, which travels as one more
// counter and which our reporters take out again.
//
// Thread safety: any thread. Cost to the measurement: none inside the loop; about 0.5 ms after.
#pragma once

#include <assay/measure/latency/latency_histogram.hpp>
#include <assay/record/json_row.hpp>

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// What all threads of one run recorded under one name.
struct WholeLatency {
  LatencyHistogram histogram{};
  // Absent before open(): a foreign reporter would show the id as a counter.
  std::optional<std::size_t> id{};
};

class LatencyRows {
 public:
  /// From this call on histograms are kept and get ids. Call it once our own reporters are in
  /// place, because others would show the ids.
  void open();

  /// Between pause() and resume() no latency is kept: the library makes its untimed memory pass.
  void pause();
  void resume();

  /// Each thread calls it before its loop.
  void arrive(std::string_view name);

  /// Each thread calls it after its loop. The last thread to leave gets all threads' values
  /// together, unless none was recorded; the others get nothing. All threads of a run arrive before
  /// one leaves, because the library lets them begin their loops together.
  std::optional<WholeLatency> leave(std::string_view name, const LatencyHistogram& histogram);

  static std::string id_name(std::string_view name);
  static bool is_id(std::string_view counter);

  /// The histograms whose ids are among a row's counters, by name.
  [[nodiscard]] std::map<std::string, LatencyRow> of(
      const std::map<std::string, double>& counters) const;

 private:
  struct Run {
    LatencyHistogram histogram{};
    int present{0};
  };

  std::optional<std::size_t> keep(const LatencyHistogram& histogram);

  mutable std::mutex mutex_;
  std::map<std::string, Run, std::less<>> runs_;
  std::vector<LatencyRow> rows_;  // indexed by id
  bool is_open_{false};
  bool is_paused_{false};
};

}  // namespace assay
