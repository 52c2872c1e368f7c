#include <assay/gbench/counter_scope.hpp>

#include <assay/gbench/session.hpp>

#include <assay/gbench/unavailable_counters.hpp>
#include <assay/measure/counters/uncore.hpp>

#include <algorithm>
#include <limits>

namespace assay {
namespace {

std::vector<std::string> cpu_counter_names(const std::vector<std::string>& names) {
  std::vector<std::string> kept;
  std::remove_copy_if(names.begin(), names.end(), std::back_inserter(kept), is_memory_counter);
  return kept;
}

std::vector<std::string> host_counter_names(const benchmark::State& state,
                                            const std::vector<std::string>& names) {
  std::vector<std::string> kept;
  if (state.thread_index() > 0) return kept;  // thread 0 alone counts for the whole host
  std::copy_if(names.begin(), names.end(), std::back_inserter(kept), is_memory_counter);
  return kept;
}

}  // namespace

CounterScope::CounterScope(benchmark::State& state, const std::vector<std::string>& names,
                           PerfGroup::Covers covers)
    : state_(state),
      group_(cpu_counter_names(names), covers),
      traffic_(host_counter_names(state, names)) {
  traffic_.start();
  group_.start();
}

CounterScope::~CounterScope() {
  stop();
}

void CounterScope::stop() {
  if (has_stopped_) return;
  has_stopped_ = true;
  group_.stop();
  traffic_.stop();
  const auto of_group = group_.read();
  report(of_group, group_.unavailable());
  const auto of_traffic = traffic_.read();
  report(of_traffic, traffic_.unavailable());
}

void CounterScope::report(const std::vector<CounterValue>& values,
                          const std::vector<std::string>& reasons) {
  for (const std::string& line : reasons) session().unavailable.add(line);
  for (const CounterValue& value : values) {
    state_.counters[value.name] =
        benchmark::Counter(value.count.value_or(std::numeric_limits<double>::quiet_NaN()),
                           benchmark::Counter::kAvgIterations);
  }
}

}  // namespace assay
