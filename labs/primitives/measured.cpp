#include <assay/primitives/measured.hpp>

#include <assay/gbench/google_benchmark.hpp>

namespace assay::primitives {
namespace {

AllocationScope::Covers threads_of(const benchmark::State& state) {
  return state.threads() > 1 ? AllocationScope::Covers::this_thread
                             : AllocationScope::Covers::all_threads;
}

}  // namespace

Measured::Measured(benchmark::State& state, PerfGroup::Covers covers)
    : state_(state),
      counters_(state, {"context-switches", "page-faults", "instructions", "cycles"}, covers),
      allocations_(threads_of(state)) {}

void Measured::done(Work each) {
  report_allocations(state_, allocations_);
  counters_.stop();
  state_.SetItemsProcessed(state_.iterations() * each.items);
  if (each.bytes > 0) state_.SetBytesProcessed(state_.iterations() * each.bytes);
}

}  // namespace assay::primitives
