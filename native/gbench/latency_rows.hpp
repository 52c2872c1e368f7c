// Purpose: brings the histograms that threads of a benchmark recorded to the row it gets.
//
//   const std::string name = LatencyRows::ticket_name("latency");
//   rows.arrive("latency");                             // each thread, before the loop
//   const auto all = rows.leave("latency", histogram);  // each thread, after it
//   if (all && all->ticket) counters[name] = static_cast<double>(*all->ticket);  // the last one
//   const auto histograms = rows.of(counters);  // the reporter, later
//
// A row tells of its run by nothing but its counters, and a benchmark runs several times
// before and beside the run that is reported. So a run gets a number, the ticket, which
// travels as one more counter, and which reporters take out again.
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
  std::optional<std::size_t> ticket{};  // none where no reporter of ours could take it out
};

class LatencyRows {
 public:
  /// From here on histograms are kept for rows: reporters that know tickets are at work.
  void open();

  /// In between, runs leave nothing behind: the memory pass.
  void pause();
  void resume();

  void arrive(std::string_view name);

  /// All there is, for the last thread to leave; nothing for the others, nor when nothing
  /// was recorded. Threads of one run all arrive before one leaves: the loop is a barrier.
  std::optional<WholeLatency> leave(std::string_view name, const LatencyHistogram& histogram);

  static std::string ticket_name(std::string_view name);
  static bool is_ticket(std::string_view counter);

  /// The histograms that a row's counters hold tickets of, by name.
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
  std::vector<LatencyRow> rows_;  // a ticket is an index
  bool is_open_{false};
  bool is_paused_{false};
};

}  // namespace assay
