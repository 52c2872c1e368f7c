// Purpose: the same work in several threads, whose exceptions become the run's failure.
//
//   run_team(threads, results.main(), [&](std::uint32_t thread) { done += thread + 1; });
//
// Thread safety: returns when all threads have. Cost: starting threads, 20 to 50 us each.
#pragma once

#include <assay/index/run/shared_results.hpp>

#include <cstdint>
#include <functional>

namespace assay::index {

/// Calls `work` in that many threads and waits for them. `meanwhile` runs in the calling thread
/// after they have started.
void run_team(
    std::uint32_t threads, RunState& main, const std::function<void(std::uint32_t)>& work,
    const std::function<void()>& meanwhile = [] {});

}  // namespace assay::index
