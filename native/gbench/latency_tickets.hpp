// Purpose: a run as reporters show it: without the counters that are tickets of histograms.
//
//   const auto shown = assay::without_tickets(run).counters;  // no assay_histogram:latency=3
//
// Thread safety: pure. Cost: a copy of the run, between benchmarks.
#pragma once

#include <assay/gbench/latency_rows.hpp>

#include <benchmark/benchmark.h>

namespace assay {

/// Which histogram belongs to a row is for us to know: see latency_rows.hpp.
inline benchmark::BenchmarkReporter::Run without_tickets(
    const benchmark::BenchmarkReporter::Run& run) {
  benchmark::BenchmarkReporter::Run copy = run;
  for (const auto& [name, counter] : run.counters) {
    if (LatencyRows::is_ticket(name)) copy.counters.erase(name);
  }
  return copy;
}

}  // namespace assay
