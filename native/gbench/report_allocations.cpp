#include <assay/gbench/google_benchmark.hpp>

#include <assay/measure/allocations/allocation_status.hpp>
#include <assay/measure/allocations/allocator_functions.hpp>

namespace assay {
namespace {

void report_tally(benchmark::State& state, const AllocationTally& taken,
                  AllocationScope::Covers covers) {
  if (!allocation_status().counted && !hooks::functions_were_used()) return;
  using benchmark::Counter;
  // The library sums counters over threads. A scope of all threads has the same totals in each
  // thread, so these are averaged instead.
  const bool is_shared = covers == AllocationScope::Covers::all_threads;
  const auto flags = static_cast<Counter::Flags>(
      Counter::kAvgIterations | (is_shared ? Counter::kAvgThreads : Counter::kDefaults));
  const auto put = [&](const char* name, double value) {
    state.counters[name] = Counter(value, flags);
  };
  put("CallsToAlloc", static_cast<double>(taken.allocs));
  put("CallsToRealloc", static_cast<double>(taken.reallocs));
  put("CallsToFree", static_cast<double>(taken.frees));
  put("MemoryAllocated", static_cast<double>(taken.requested_bytes));
  put("MemoryFreed", taken.freed_bytes());
}

}  // namespace

void report_allocations(benchmark::State& state, const AllocationScope& scope) {
  report_tally(state, scope.taken(), scope.covers());
}

void report_allocations(benchmark::State& state, const AllocationMeter& meter) {
  report_tally(state, meter.taken(), AllocationScope::Covers::this_thread);
}

}  // namespace assay
