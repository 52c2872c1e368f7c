// Purpose: threads of an OpenMP team, for a plug-in that asks OpenMP for the calling thread's
// number.
//
//   if (run_by_openmp(threads, work)) return;   // else start threads of one's own
//
// PiBench calls a plug-in from the threads of an OpenMP team, and some plug-ins use
// omp_get_thread_num() as the index of a thread's own data. In any other thread it returns 0, so
// that all threads would share the data of one.
//
// Thread safety: none needed. Cost: starting and joining the team; none while it works.
#pragma once

#include <cstdint>
#include <functional>

namespace assay::index {

/// Calls `work` with 0 .. threads - 1, each from the OpenMP thread of that number, and waits for
/// all. False, and nothing is called, where no OpenMP is loaded or it allows fewer threads.
bool run_by_openmp(std::uint32_t threads, const std::function<void(std::uint32_t)>& work);

/// Whether an OpenMP runtime is loaded, as it is with a plug-in that is linked with one.
bool has_openmp();

}  // namespace assay::index
