// Purpose: takes one worker's samples. All workers begin a batch together; each times its own.
//
//   Sampler sampler(work, worker, barrier, table, effort);
//   if (Status done = sampler.calibrate(); !done) return done;
//   return sampler.take_all();
//
// Thread safety: one Sampler per worker; SampleTable lies in memory they share.
// Cost: between two samples a barrier; inside one, two readings of the clock.
#pragma once

#include <assay/os/harness/case.hpp>
#include <assay/os/harness/effort.hpp>
#include <assay/system/shared_pages.hpp>
#include <assay/system/worker_team.hpp>

#include <atomic>
#include <cstdint>
#include <vector>

namespace assay::os {

/// Shared memory for the results of all workers: calls in a batch, each batch's time, and CPU
/// times.
class SampleTable {
 public:
  static Result<SampleTable> make(int workers, std::int64_t samples);

  struct Decisions {
    std::atomic<Calls> calls{1};
    std::atomic<bool> stop{false};
    std::atomic<std::int64_t> taken{0};
  };
  [[nodiscard]] Decisions& decisions() const { return *pages_.as<Decisions>(); }
  [[nodiscard]] std::int64_t& took_ns(int worker, std::int64_t sample) const;
  [[nodiscard]] Calls& most_calls(int worker) const;
  /// CPU time of the worker's thread, summed over its samples.
  [[nodiscard]] std::int64_t& cpu_ns(int worker) const;
  [[nodiscard]] int workers() const { return workers_; }

  /// Every sample in nanoseconds per call, after subtracting the clock's own cost.
  [[nodiscard]] std::vector<double> per_call_ns(double clock_cost_ns) const;
  [[nodiscard]] double cpu_per_call_ns() const;

 private:
  SampleTable(SharedPages pages, int workers, std::int64_t samples)
      : pages_(std::move(pages)), workers_(workers), samples_(samples) {}

  SharedPages pages_;
  int workers_;
  std::int64_t samples_;
};

class Sampler {
 public:
  Sampler(Work& work, const WorkerId& worker, WorkerBarrier& barrier, const SampleTable& table,
          const Effort& effort)
      : work_(work), worker_(worker), barrier_(barrier), table_(table), effort_(effort) {}

  /// Finds how many calls a sample needs, the same for all workers, and warms up.
  Status calibrate();
  /// Takes samples until there are enough or the time limit is reached; worker 0 decides that for
  /// all.
  Status take_all();

 private:
  Status batch(Calls calls, std::int64_t place);
  Status agree_on_most_calls(Calls& most);
  [[nodiscard]] Status meet() const;
  void align_with_clock();
  [[nodiscard]] bool leads() const { return worker_.index == 0; }
  [[nodiscard]] double mean_took_ns(std::int64_t place) const;

  Work& work_;
  const WorkerId& worker_;
  WorkerBarrier& barrier_;
  const SampleTable& table_;
  const Effort& effort_;
  std::int64_t slept_at_ns_{0};
  std::int64_t deadline_ns_{0};
};

/// The number of calls to try next, after a batch of `calls` took `took_ns`. It is `calls` again
/// when the batch is long enough, or as long as `most` allows.
Calls next_batch(Calls calls, double took_ns, std::int64_t aim_ns, Calls most);

}  // namespace assay::os
