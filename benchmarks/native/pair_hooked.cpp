// The program with our hooks: idle, counting, or counting with the peak.
#include "pair_loop.hpp"

#include <assay/measure/allocations/allocation_scope.hpp>
#include <assay/measure/allocations/allocation_status.hpp>
#include <assay/measure/allocations/peak_scope.hpp>

#include <cstdio>
#include <string_view>

namespace {

int time_counted_pairs(int threads) {
  const assay::AllocationScope scope;
  const int code = time_pairs(threads);
  if (scope.taken().allocs > 0) return code;
  std::fputs("pair_hooked: nothing was counted\n", stderr);
  return 1;
}

int time_pairs_with_peak(int threads) {
  const assay::PeakScope scope;
  return time_pairs(threads);
}

}  // namespace

int main(int argc, char** argv) {
  if (!assay::allocation_status().counted) {
    std::fprintf(stderr, "pair_hooked: %s\n", assay::allocation_status().reason.c_str());
    return 1;
  }
  const std::string_view mode = argc > 1 ? argv[1] : "idle";
  if (mode == "counting") return time_counted_pairs(threads_in(argc, argv));
  if (mode == "peak") return time_pairs_with_peak(threads_in(argc, argv));
  return time_pairs(threads_in(argc, argv));
}
