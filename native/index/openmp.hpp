// Purpose: threads that OpenMP knows, for a plug-in that asks it who is calling.
//
//   if (run_by_openmp(threads, work)) return;   // else start threads of one's own
//
// PiBench calls a plug-in from the threads of an OpenMP team, and some plug-ins take
// omp_get_thread_num() for the place of what belongs to one thread. In any other thread it is 0.
//
// Thread safety: none needed. Cost: before and after a team's work.
#pragma once

#include <cstdint>
#include <functional>

namespace assay::index {

/// Calls `work` with 0 .. threads - 1, each from the OpenMP thread of that number, and waits.
/// False, and nothing is called, where no OpenMP is loaded or it allows fewer threads.
bool run_by_openmp(std::uint32_t threads, const std::function<void(std::uint32_t)>& work);

/// Whether a plug-in has brought one along.
bool has_openmp();

}  // namespace assay::index
