#include <assay/index/run/driver_cost.hpp>

#include <assay/base/units.hpp>
#include <assay/index/empty_tree.hpp>
#include <assay/index/run/worker.hpp>
#include <assay/system/clock.hpp>

#include <algorithm>

namespace assay::index {
namespace {

constexpr std::int64_t budget_ns = 20 * ns_per_ms;
constexpr std::uint64_t operations_at_once = 8192;

/// The run's options, but with one thread, no fixed rate and no --verify, for driving an empty
/// tree.
Options for_empty_tree(Options options) {
  options.threads = 1;
  options.open_loop.rate = 0;
  options.verify = false;
  return options;
}

std::vector<Operation> timed_kinds(const Options& options) {
  std::vector<Operation> kinds;
  for (const Operation kind : all_operations) {
    if (options.latency_sampling > 0 && options.has(kind)) kinds.push_back(kind);
  }
  return kinds;
}

}  // namespace

double measure_driver_cost(const Options& asked, const KeyMaker& keys) {
  const Options options = for_empty_tree(asked);
  const auto results = SharedResults::make({.threads = 1, .timed = timed_kinds(options)});
  if (!results) return 0;
  const auto tree = make_empty_tree();
  Worker worker({.options = options,
                 .keys = keys,
                 .tree = *tree,
                 .results = *results,
                 .place = {.records = options.records, .thread = 0, .threads = 1},
                 .expected = nullptr});
  worker.run(operations_at_once);  // a warm-up of caches and tables
  double fastest_ns = 0;
  const std::int64_t end_ns = now_ns() + budget_ns;
  for (std::int64_t began_ns = now_ns(); began_ns < end_ns && !results->main().stop.load();) {
    worker.run(operations_at_once);
    const std::int64_t ended_ns = now_ns();
    const double each_ns = static_cast<double>(ended_ns - began_ns) / operations_at_once;
    fastest_ns = fastest_ns == 0 ? each_ns : std::min(fastest_ns, each_ns);
    began_ns = ended_ns;
  }
  return fastest_ns;
}

}  // namespace assay::index
