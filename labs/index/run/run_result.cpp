#include <assay/index/run/run_result.hpp>

#include <assay/system/clock.hpp>

#include <algorithm>

namespace assay::index {
namespace {

std::int64_t between(std::int64_t began_ns, std::int64_t ended_ns) {
  return began_ns > 0 && ended_ns > began_ns ? ended_ns - began_ns : 0;
}

void gather_threads(const SharedResults& results, RunResult& result) {
  const std::int64_t now = now_ns();
  for (std::uint32_t number = 0; number < results.threads(); ++number) {
    const ThreadCounters& thread = results.thread(number);
    for (const Operation kind : all_operations) {
      result.operations[kind].completed += thread.tallies[kind].completed.load();
      result.operations[kind].succeeded += thread.tallies[kind].succeeded.load();
    }
    const std::int64_t ended_ns = thread.ended_ns.load();
    result.elapsed_ns = std::max(result.elapsed_ns, between(results.main().run_began_ns.load(),
                                                            ended_ns > 0 ? ended_ns : now));
    result.cpu_ns += thread.cpu_ns.load();
    result.loaded += thread.loaded.load();
  }
}

void gather_latencies(const SharedResults& results, RunResult& result) {
  for (const Operation kind : all_operations) {
    OperationResult& of_kind = result.operations[kind];
    for (std::uint32_t set = 0; set < results.histogram_sets(); ++set) {
      const SharedHistogram* const histogram = results.histogram(set, kind);
      if (histogram == nullptr) break;
      if (!of_kind.latencies) of_kind.latencies.emplace();
      of_kind.latencies->add(*histogram);
      if (!result.all.latencies) result.all.latencies.emplace();
      result.all.latencies->add(*histogram);
    }
  }
}

void gather_counters(const RunState& main, RunResult& result) {
  for (std::size_t i = 0; i < main.counter_count; ++i) {
    const SharedCounter& counter = main.counters[i];
    result.counters.push_back(
        {.name = counter.name.data(),
         .count = counter.is_known ? std::optional(counter.count) : std::nullopt,
         .reason = counter.reason.data()});
  }
}

}  // namespace

void Latencies::add(const SharedHistogram& results) {
  const LatencyHistogram more = results.histogram();
  const std::uint64_t more_count = more.total();
  if (more_count == 0) return;
  const double sum_ns =
      mean_ns * static_cast<double>(count) + static_cast<double>(results.sum_ns());
  min_ns = count == 0 ? results.min_ns() : std::min(min_ns, results.min_ns());
  max_ns = std::max(max_ns, results.max_ns());
  histogram.merge(more);
  count += more_count;
  mean_ns = sum_ns / static_cast<double>(count);
  clamped_below += results.clamped_below();
  clamped_above += results.clamped_above();
}

RunResult gather(const Options& options, const SharedResults& results) {
  const RunState& main = results.main();
  RunResult result;
  result.options = options;
  result.has_run = main.run_began_ns.load() > 0;
  result.open_ns = main.open_ns;
  result.load_ns = between(main.load_began_ns.load(), main.load_ended_ns.load());
  result.verify_ns = main.verify_ns;
  result.verified_records = main.verified_records.load();
  result.loaded_rss_bytes = main.loaded_rss_bytes;
  result.driver_ns = main.driver_ns;
  result.scan_order = name_of_order(main.scan_orders.load());
  gather_threads(results, result);
  gather_latencies(results, result);
  gather_counters(main, result);
  for (const OperationResult& each : result.operations.values) {
    result.all.completed += each.completed;
    result.all.succeeded += each.succeeded;
  }
  return result;
}

}  // namespace assay::index
