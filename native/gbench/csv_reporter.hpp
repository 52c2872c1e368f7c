// Purpose: the library's CSV, without the counters that only carry the ids of histograms.
//
//   CsvReporter reporter;
//   benchmark::RunSpecifiedBenchmarks(display, &reporter);
//
// Thread safety: none; reporters run in the main thread. Cost: between benchmarks only.
#pragma once

#include <benchmark/benchmark.h>

#include <vector>

namespace assay {

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"  // CSVReporter is deprecated

class CsvReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;

 private:
  benchmark::CSVReporter library_;
};

#pragma GCC diagnostic pop

}  // namespace assay
