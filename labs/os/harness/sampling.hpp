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

/// What the workers write: calls in a batch, and how long each of their batches took.
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
  /// CPU time of the worker's own thread in all its samples.
  [[nodiscard]] std::int64_t& cpu_ns(int worker) const;
  [[nodiscard]] int workers() const { return workers_; }
  [[nodiscard]] std::int64_t room() const { return samples_; }

  /// Every sample, as nanoseconds per call, the clock's own cost taken off.
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
  /// Takes samples until there are enough or the time is over, which worker 0 decides for all.
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

/// The next size of batch to try, when one of `calls` took so long. The same size means that it
/// is found.
Calls next_batch(Calls calls, double took_ns, std::int64_t aim_ns, Calls most);

}  // namespace assay::os
