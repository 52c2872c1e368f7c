// Purpose: everything a benchmark needs, in one include.
//
//   #include <assay/assay.hpp>
//
//   static void work(benchmark::State& state) {
//     for (auto _ : state) do_it();
//   }
//   BENCHMARK(work);
//   ASSAY_MAIN();
//
// Brings in Google Benchmark itself. Thread safety and cost: see each header.
#pragma once

#include <assay/base/random.hpp>
#include <assay/base/result.hpp>
#include <assay/base/units.hpp>
#include <assay/gbench/counter_scope.hpp>
#include <assay/gbench/google_benchmark.hpp>
#include <assay/gbench/latency_recorder.hpp>
#include <assay/measure/allocations/allocation_meter.hpp>
#include <assay/measure/allocations/allocation_scope.hpp>
#include <assay/measure/allocations/allocation_status.hpp>
#include <assay/measure/allocations/allocator_functions.hpp>
#include <assay/measure/allocations/peak_scope.hpp>
#include <assay/measure/latency/latency_histogram.hpp>
#include <assay/measure/latency/pacing.hpp>
#include <assay/system/clock.hpp>
