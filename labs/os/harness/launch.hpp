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
  std::vector<int> cpus{};      // worker i runs on cpus[i % size]; empty: not pinned
  bool in_this_process{false};  // libMicro's -1: no fork
};

struct Launched {
  std::vector<double> per_call_ns{};  // all workers' first samples, then all second ones ...
  Calls calls{0};                     // in a sample
  double cpu_ns{0};                   // CPU time of one call, mean over workers
  double loop_ns{0};                  // time of one iteration of an empty loop
  double clock_cost_ns{0};            // one clock reading; subtracted from each sample
  std::int64_t clock_resolution_ns{0};
  std::int64_t elapsed_ns{0};
  std::optional<Error> trouble{};
};

Launched launch(const LaunchPlan& plan);

}  // namespace assay::os
