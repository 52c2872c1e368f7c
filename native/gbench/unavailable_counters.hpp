// Purpose: keeps why counters could not be had until the rows of their benchmarks are written.
//
//   UnavailableCounters unavailable;
//   unavailable.add("cycles: not supported on this host");
//   const auto reason = unavailable.reason("cycles");  // "not supported ...", or nothing
//
// Google Benchmark carries numbers from a benchmark to its row and nothing else: a counter
// without a value travels as NaN, and its reason here.
//
// Thread safety: any thread; a lock. Cost: none inside a timed loop.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace assay {

class UnavailableCounters {
 public:
  /// Takes "NAME: REASON"; a line without a colon is ignored.
  void add(const std::string& line);

  [[nodiscard]] std::optional<std::string> reason(const std::string& name) const;

  /// All reasons by the counters' names.
  [[nodiscard]] std::map<std::string, std::string> all() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string> reasons_;
};

}  // namespace assay
