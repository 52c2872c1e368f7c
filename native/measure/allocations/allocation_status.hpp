// Purpose: whether allocations are really counted in this process, proved by a trial.
//
//   if (!assay::allocation_status().counted) puts(assay::allocation_status().reason.c_str());
//
// A program that brings its own malloc, or whose operator new does not call malloc, is
// not counted; "0 allocations" would be false. Errors: none; a reason instead.
//
// Thread safety: the trial is made once, by the first caller. Cost: two allocations,
// outside of any timed loop.
#pragma once

#include <string>

namespace assay {

struct AllocationStatus {
  bool counted{false};
  std::string reason{};     // when not counted: what stands in the way
  std::string allocator{};  // when counted: the object file whose malloc does the work
};

/// The result of the trial, which the first call makes.
const AllocationStatus& allocation_status();

}  // namespace assay
