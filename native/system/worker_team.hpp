// Purpose: processes x threads that do the same work and meet at a barrier.
//
//   const auto member = [&](const assay::WorkerId& worker, assay::WorkerBarrier& barrier) {
//     if (!barrier.wait()) return assay::Status();  // abandoned: leave quietly
//     slots[worker.index] = work();
//     return assay::Status();
//   };
//   const assay::Status done = assay::run_team({.processes = 2, .threads = 4}, {}, member);
//
// Results go to SharedPages that the caller made: the processes are forked. A member that
// fails, dies or outlives the time limit ends the team: the barrier opens, the processes are
// killed if they do not leave, and the first trouble is the result. The processes, and what
// they fork, die with the caller.
//
// Thread safety: call it from a process's only thread (it forks), one team at a time.
// Cost: a fork for each process and a thread for each further member, before the first
// barrier; nothing during the work.
#pragma once

#include <assay/base/result.hpp>
#include <assay/system/worker_barrier.hpp>

#include <cstdint>
#include <functional>

namespace assay {

struct TeamShape {
  int processes{1};
  int threads{1};
  bool in_this_process{false};  // no fork: one process only

  [[nodiscard]] int members() const { return processes * threads; }
};

/// Which worker of the team this is.
struct WorkerId {
  int process{0};
  int thread{0};
  int index{0};
  int workers{1};  // how many the team has
};

struct TeamLimit {
  std::int64_t longest_ns{0};          // 0: no limit
  std::int64_t grace_ns{500'000'000};  // between opening the barrier and SIGKILL
};

using TeamWork = std::function<Status(const WorkerId&, WorkerBarrier&)>;

/// Runs `work` in every member. The result is success when all members returned success, else the
/// first error.
Status run_team(const TeamShape& shape, const TeamLimit& limit, const TeamWork& work);

}  // namespace assay
