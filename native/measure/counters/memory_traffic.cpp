#include <assay/measure/counters/memory_traffic.hpp>

#include <assay/measure/counters/perf_open.hpp>
#include <assay/measure/counters/uncore.hpp>

#include <linux/perf_event.h>
#include <sys/ioctl.h>

#include <algorithm>

namespace assay {

MemoryTraffic::MemoryTraffic(std::vector<std::string> names) : names_(std::move(names)) {
  for (const std::string& name : names_) open_channels_of(name);
}

void MemoryTraffic::open_channels_of(const std::string& name) {
  static const Result<std::vector<MemoryEvent>> events = memory_events();
  if (!events) {
    unavailable_.push_back(name + ": " + events.error().line());
    return;
  }
  std::vector<Channel> opened;
  for (const MemoryEvent& event : *events) {
    if (event.what != name) continue;
    Result<FileDescriptor> file =
        perf_open(event.event, {.cpu = event.cpu, .pid = -1, .is_uncore = true});
    if (!file) {  // all or none: a sum that lacks one channel would be too small
      unavailable_.push_back(name + ": " + event.pmu + ": " + file.error().what);
      return;
    }
    opened.push_back({name, std::move(file.value()), event.bytes_per_count});
  }
  if (opened.empty()) unavailable_.push_back(name + ": this host's controllers do not count it");
  std::move(opened.begin(), opened.end(), std::back_inserter(channels_));
}

void MemoryTraffic::switch_all(unsigned long request) const {
  for (const Channel& channel : channels_) ioctl(channel.file.number(), request, 0);
}

void MemoryTraffic::start() {
  switch_all(PERF_EVENT_IOC_ENABLE);
}

void MemoryTraffic::stop() {
  switch_all(PERF_EVENT_IOC_DISABLE);
}

std::vector<CounterValue> MemoryTraffic::read() {
  std::vector<CounterValue> values;
  values.reserve(names_.size());
  for (const std::string& name : names_) {
    CounterValue value{.name = name, .running_share = 1};
    for (const Channel& channel : channels_) {
      if (channel.what != name) continue;
      CounterReading reading{};
      const bool is_read =
          ::read(channel.file.number(), &reading, sizeof reading) == sizeof reading;
      const auto count = is_read ? scaled(reading) : std::nullopt;
      if (!count) {
        unavailable_.push_back(name + ": one of its channels gave no count");
        value.count.reset();
        break;
      }
      value.count = value.count.value_or(0) + *count * channel.bytes_per_count;
      value.running_share = std::min(value.running_share, running_share(reading));
    }
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace assay
