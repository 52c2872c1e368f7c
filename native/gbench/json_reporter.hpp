// Purpose: results as JSON: the library's own rows, completed with our `assay` objects.
//
//   JsonReporter reporter(facts, passes, JsonFileEnd(names, "out.json"));
//   benchmark::RunSpecifiedBenchmarks(display, &reporter);
//
// Google Benchmark writes each part into a buffer and we add to it, so the keys of whichever
// version is linked are kept.
//
// Thread safety: none; reporters run in the main thread. Cost: one write between benchmarks.
#pragma once

#include <assay/gbench/json_file_end.hpp>
#include <assay/gbench/memory_passes.hpp>
#include <assay/record/json_context.hpp>

#include <benchmark/benchmark.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace assay {

class JsonReporter : public benchmark::BenchmarkReporter {
 public:
  JsonReporter(const Facts& facts, const MemoryPasses& passes, JsonFileEnd end);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override { end_.finish(GetOutputStream()); }

  /// A benchmark threw: the results written so far get an end that says why.
  void ended_early(const std::string& why) { end_.ended_early(why); }

 private:
  std::string take_buffer();
  std::string first_reported_name(const std::vector<Run>& runs);
  nlohmann::ordered_json row_of(const Run& run);

  const Facts& facts_;
  const MemoryPasses& passes_;
  std::ostringstream buffer_;
  benchmark::JSONReporter library_;
  JsonFileEnd end_;
  std::string last_reported_;
  bool is_first_{true};
  pid_t owner_{getpid()};
};

}  // namespace assay
