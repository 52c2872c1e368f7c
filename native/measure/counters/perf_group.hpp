// Purpose: counts events of the CPU and of the kernel (cycles, page faults) over a piece of code.
//
//   assay::PerfGroup counters({"cycles", "instructions", "page-faults"});
//   counters.start();
//   work();
//   counters.stop();
//   for (const auto& c : counters.read()) {
//     if (c.count) print(c.name, *c.count);
//   }
//   for (const auto& line : counters.unavailable()) print(line);    // "cycles: why not"
//
// A counter that the host refuses has no count but a reason; it is never 0. Many virtual
// machines have no hardware counters at all; the kernel's own counters are there even so.
// Units: events; task-clock counts nanoseconds. Hardware counters are opened as groups as large as
// the CPU takes, so that ratios within a group hold; groups that take turns are scaled
// (counter_arithmetic.hpp).
//
// Thread safety: a group belongs to the thread that made it, and counts that thread alone
// or (`Covers::this_thread_and_new`) the threads it starts from then on as well.
//
// Cost to the measurement: start and stop make a system call for each counter, about 1 us; nothing
// in between, but for 100-200 ns at each context switch.
#pragma once

#include <assay/measure/counters/counter_arithmetic.hpp>
#include <assay/measure/counters/counter_event.hpp>
#include <assay/system/file_descriptor.hpp>

#include <optional>
#include <string>
#include <vector>

namespace assay {

struct CounterValue {
  std::string name{};
  std::optional<double> count{};  // absent: see PerfGroup::unavailable()
  double running_share{0};        // below 1: it was multiplexed, and the count is scaled
};

class PerfGroup {
 public:
  enum class Covers : std::uint8_t { this_thread, this_thread_and_new };

  /// Opens a counter for each name (counter_event.hpp), not yet counting.
  explicit PerfGroup(const std::vector<std::string>& names, Covers covers = Covers::this_thread);

  void start();
  void stop();

  /// Counts since the first start(), without the time between a stop() and the next start(). In the
  /// order the names were given.
  [[nodiscard]] std::vector<CounterValue> read();

  /// "name: reason" for each counter without a count. Call it after read(): that a counter
  /// never got its turn shows only then.
  [[nodiscard]] const std::vector<std::string>& unavailable() const { return unavailable_; }

 private:
  struct Counter {
    std::string name;
    FileDescriptor file;
    bool leads{false};
  };
  void open(const CounterEvent& event, Covers covers);
  void switch_all(unsigned long request) const;

  std::vector<Counter> counters_;
  std::vector<std::string> unavailable_;
};

/// Why hardware counters cannot be had on this host; empty when they can.
std::string hardware_counters_refused();

}  // namespace assay
