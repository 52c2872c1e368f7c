// Latencies without Google Benchmark: the histogram, the clock and the encoding alone.
#include <assay/measure/latency/hdr_encoding.hpp>
#include <assay/measure/latency/latency_histogram.hpp>
#include <assay/measure/latency/latency_timing.hpp>

#include <cstdio>
#include <string>

static void work() {
  static volatile int spins;
  for (spins = 0; spins < 100;) spins = spins + 1;
}

int main() {
  assay::LatencyHistogram latencies;  // one per thread; merge() afterwards
  for (int i = 0; i < 1'000; ++i) {
    const assay::LatencyTiming timing(latencies);
    work();
  }
  std::puts(assay::encode_hdr(latencies).c_str());
}
