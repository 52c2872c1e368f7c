// Purpose: measures one launch of a case: makes what its workers share, runs them, takes samples.
//
//   const Launched launched = launch({.what = &a_case, .setting = setting, .effort = effort});
//   if (launched.trouble) return *launched.trouble;
//
// Thread safety: from a process's only thread; forks. Cost: 3 ms before the first sample.
#pragma once

#include <assay/os/harness/case.hpp>
#include <assay/os/harness/effort.hpp>

#include <vector>

namespace assay::os {

struct LaunchPlan {
  const Case* what{nullptr};
  Setting setting;
  Effort effort{};
  std::vector<int> cpus{};      // worker i runs on cpus[i % size]; empty: wherever it likes
  bool in_this_process{false};  // -1
};

struct Launched {
  std::vector<double> per_call_ns{};  // sample after sample, of all workers
  Calls calls{0};                     // in a sample
  double cpu_ns{0};                   // of the worker's thread, a call
  double loop_ns{0};                  // an empty loop's time for each call
  double clock_cost_ns{0};            // taken off each sample
  std::int64_t clock_resolution_ns{0};
  std::int64_t elapsed_ns{0};
  std::optional<Error> trouble{};
};

Launched launch(const LaunchPlan& plan);

}  // namespace assay::os
