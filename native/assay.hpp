// Purpose: everything a benchmark needs, in one include.
//
//   #include <assay/assay.hpp>
//   static void work(benchmark::State& state) { for (auto _ : state) do_it(); }
//   BENCHMARK(work);
//   ASSAY_MAIN();
//
// Brings in Google Benchmark itself. Thread safety and cost: see each header.
#pragma once

#include <assay/base/random.hpp>
#include <assay/base/result.hpp>
#include <assay/base/units.hpp>
#include <assay/measure/allocation_meter.hpp>
#include <assay/measure/allocation_scope.hpp>
#include <assay/measure/allocation_status.hpp>
#include <assay/measure/allocator_functions.hpp>
#include <assay/measure/clock.hpp>
#include <assay/measure/latency_histogram.hpp>
#include <assay/measure/pacing.hpp>
#include <assay/measure/peak_scope.hpp>
#include <assay/record/google_benchmark.hpp>
#include <assay/record/google_benchmark_counters.hpp>
#include <assay/record/google_benchmark_latency.hpp>
