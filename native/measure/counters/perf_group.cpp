#include <assay/measure/counters/perf_group.hpp>
#include <assay/measure/counters/perf_open.hpp>

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace assay {
namespace {

std::optional<CounterReading> reading_of(const FileDescriptor& file) {
  CounterReading reading{};
  static_assert(sizeof reading == 3 * sizeof(std::uint64_t));
  if (::read(file.number(), &reading, sizeof reading) != sizeof reading) return std::nullopt;
  return reading;
}

}  // namespace

PerfGroup::PerfGroup(const std::vector<std::string>& names, Covers covers) {
  counters_.reserve(names.size());
  for (const std::string& name : names) {
    if (const auto event = counter_event(name)) {
      open(*event, covers);
    } else {
      counters_.push_back({.name = name, .file = {}});
      unavailable_.push_back(name + ": " + event.error().what);
    }
  }
}

void PerfGroup::open(const CounterEvent& event, Covers covers) {
  PerfTarget target{.inherit = covers == Covers::this_thread_and_new};
  // Inherited and software counters are opened outside the groups: not every kernel lets an
  // inherited counter join a group, and a software counter is never multiplexed.
  const bool may_join = !target.inherit && !event.is_software();
  const auto leader =
      std::find_if(counters_.rbegin(), counters_.rend(), [](const Counter& c) { return c.leads; });
  if (may_join && leader != counters_.rend()) target.leader = leader->file.number();

  Result<FileDescriptor> file = perf_open(event, target);
  if (!file && target.leader >= 0 && file.error().errno_value == EINVAL) {
    target.leader = -1;  // the CPU's counters are full: this one leads a new group
    file = perf_open(event, target);
  }
  if (!file) {
    unavailable_.push_back(file.error().line());
    counters_.push_back({.name = event.name, .file = {}});
    return;
  }
  counters_.push_back({.name = event.name,
                       .file = std::move(file.value()),
                       .leads = may_join && target.leader < 0});
}

void PerfGroup::switch_all(unsigned long request) const {
  for (const Counter& counter : counters_) {
    if (counter.file) ioctl(counter.file.number(), request, 0);
  }
}

void PerfGroup::start() {
  switch_all(PERF_EVENT_IOC_ENABLE);
}

void PerfGroup::stop() {
  switch_all(PERF_EVENT_IOC_DISABLE);
}

std::vector<CounterValue> PerfGroup::read() {
  std::vector<CounterValue> values;
  values.reserve(counters_.size());
  for (Counter& counter : counters_) {
    CounterValue value{.name = counter.name};
    if (counter.file) {
      const CounterReading reading = reading_of(counter.file).value_or(CounterReading{});
      value.count = scaled(reading);
      value.running_share = running_share(reading);
      if (!value.count) {
        unavailable_.push_back(counter.name + ": never got its turn on the hardware");
        counter.file = {};
      }
    }
    values.push_back(std::move(value));
  }
  return values;
}

std::string hardware_counters_refused() {
  const Result<CounterEvent> event = counter_event("cycles:u");
  const auto file = event ? perf_open(*event, {}) : Result<FileDescriptor>(event.error());
  if (file) return {};
  return file.error().hint.empty() ? file.error().what
                                   : file.error().what + " (" + file.error().hint + ")";
}

}  // namespace assay
