#include <assay/os/harness/launch.hpp>

#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/sampling.hpp>
#include <assay/system/clock.hpp>
#include <assay/system/cpu_set.hpp>
#include <assay/system/worker_team.hpp>

#include <algorithm>
#include <limits>

namespace assay::os {
namespace {

/// The time of one iteration of an empty loop, to subtract from a call's time: the best of 9
/// attempts.
double empty_loop_ns() {
  constexpr Calls calls = 20'000;
  std::int64_t least_ns = std::numeric_limits<std::int64_t>::max();
  for (int attempt = 0; attempt < 9; ++attempt) {
    const std::int64_t began_ns = now_ns();
    for (Calls i = 0; i < calls; ++i) clobber_memory();
    least_ns = std::min(least_ns, now_ns() - began_ns);
  }
  return static_cast<double>(least_ns) / static_cast<double>(calls);
}

Status pin_to(const std::vector<int>& cpus, int worker) {
  if (cpus.empty()) return {};
  const int cpu = cpus[static_cast<std::size_t>(worker) % cpus.size()];
  const Status pinned = pin_this_thread(cpu);
  if (pinned) return {};
  return Error{"cannot run on CPU " + std::to_string(cpu) + ": " + pinned.error().what};
}

class Worker {
 public:
  Worker(const LaunchPlan& plan, CaseFixture& stage, const SampleTable& table)
      : plan_(plan), stage_(stage), table_(table) {}

  Status operator()(const WorkerId& id, WorkerBarrier& barrier) const {
    if (Status done = pin_to(plan_.cpus, id.index); !done) return done;
    const auto work = stage_.worker(id);
    if (!work) return work.error();
    Sampler sampler(**work, id, barrier, table_, plan_.effort);
    if (Status done = sampler.calibrate(); !done) return done;
    return sampler.take_all();
  }

 private:
  const LaunchPlan& plan_;
  CaseFixture& stage_;
  const SampleTable& table_;
};

Status measure(const LaunchPlan& plan, const SampleTable& table) {
  const auto stage = plan.what->stage(plan.setting);
  if (!stage) return stage.error();
  const TeamShape shape{.processes = plan.setting.processes,
                        .threads = plan.setting.threads,
                        .in_this_process = plan.in_this_process};
  const TeamLimit limit{.longest_ns = plan.effort.timeout_ns};
  return run_team(shape, limit, Worker(plan, **stage, table));
}

}  // namespace

Launched launch(const LaunchPlan& plan) {
  Launched launched;
  const ClockQuality clock = measure_clock();
  launched.clock_cost_ns = clock.cost_ns;
  launched.clock_resolution_ns = clock.resolution_ns;
  launched.loop_ns = empty_loop_ns();
  LaunchPlan resolving = plan;  // samples of at least 100 steps of the clock
  const auto shortest_ns = static_cast<std::int64_t>(
      100 * std::max(static_cast<double>(clock.resolution_ns), clock.cost_ns));
  resolving.effort.sample_ns = std::max(plan.effort.sample_ns, shortest_ns);

  const auto table = SampleTable::make(plan.setting.workers(), plan.effort.samples);
  if (!table) {
    launched.trouble = table.error();
    return launched;
  }
  const std::int64_t began_ns = now_ns();
  if (const Status done = measure(resolving, *table); !done) launched.trouble = done.error();
  launched.elapsed_ns = now_ns() - began_ns;
  launched.calls = table->decisions().calls;
  launched.cpu_ns = table->cpu_per_call_ns();
  launched.per_call_ns = table->per_call_ns(clock.cost_ns);
  return launched;
}

}  // namespace assay::os
