#include <assay/measure/allocations/allocation_scope.hpp>

#include <assay/measure/allocations/allocation_hooks.hpp>
#include <assay/measure/allocations/thread_tallies.hpp>

namespace assay {

AllocationScope::AllocationScope(Covers covers) : covers_(covers) {
  hooks::arm(hooks::Counting::totals);
  before_ = totals();
}

AllocationScope::~AllocationScope() {
  hooks::disarm(hooks::Counting::totals);
}

AllocationTally AllocationScope::taken() const {
  return totals() - before_;
}

AllocationTally AllocationScope::totals() const {
  return covers_ == Covers::this_thread ? thread_tallies::of_this_thread()
                                        : thread_tallies::of_all_threads();
}

}  // namespace assay
