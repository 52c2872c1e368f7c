// Purpose: the library's own table on the console, with the allocations of each benchmark.
//
//   ConsoleReporter display(facts, passes);
//   benchmark::RunSpecifiedBenchmarks(&display);
//
// The library prints the table, colours included; it is only given a few more counters.
//
// Thread safety: none; reporters run in the main thread. Cost: between benchmarks only.
#pragma once

#include <assay/gbench/memory_passes.hpp>
#include <assay/record/json_context.hpp>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <set>
#include <string>
#include <vector>

namespace assay {

class ConsoleReporter : public benchmark::BenchmarkReporter {
 public:
  ConsoleReporter(const Facts& facts, const MemoryPasses& passes);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override { library_.Finalize(); }

 private:
  void add_memory(Run& run) const;
  void name_what_is_unavailable(Run& run);

  const Facts& facts_;
  const MemoryPasses& passes_;
  benchmark::BenchmarkReporter& library_;  // owned by the library
  std::set<std::string> said_;
  pid_t owner_{getpid()};
};

}  // namespace assay
