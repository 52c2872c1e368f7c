// Purpose: a run as reporters show it: without the counters that only carry the ids of histograms.
//
//   const auto shown = assay::without_ids(run).counters;  // no assay_histogram:latency=3
//
// Thread safety: pure. Cost: a copy of the run, between benchmarks.
#pragma once

#include <assay/gbench/latency_rows.hpp>

#include <benchmark/benchmark.h>

namespace assay {

/// The counters that carry ids are for our own reporters, which find a row's histograms by them:
/// see latency_rows.hpp.
inline benchmark::BenchmarkReporter::Run without_ids(const benchmark::BenchmarkReporter::Run& run) {
  benchmark::BenchmarkReporter::Run copy = run;
  for (const auto& [name, counter] : run.counters) {
    if (LatencyRows::is_id(name)) copy.counters.erase(name);
  }
  return copy;
}

}  // namespace assay
