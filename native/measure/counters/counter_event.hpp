// Purpose: turns a counter's name into the arguments of perf_event_open.
//
//   assay::Result<assay::CounterEvent> event = assay::counter_event("instructions:u");
//
// Names, with where they come from, and :u, :k or :uk after any of them for user code or
// the kernel alone:
//   cycles instructions branches branch-misses L1-dcache-load-misses LLC-load-misses
//   dTLB-load-misses ...   hardware, the kernel's generic names (those of `perf list`)
//   task-clock page-faults minor-faults major-faults context-switches cpu-migrations
//   r1a2b                  raw: the CPU's own code, in hexadecimal
//   anything else          a name of libpfm4's tables, where it was built in
//
// Errors: an Error for a name that nobody knows. Thread safety: any thread. Cost: none to the
// measurement; names are looked up before it.
#pragma once

#include <assay/base/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct CounterEvent {
  std::string name{};
  std::uint32_t type{0};  // PERF_TYPE_*, or a PMU's own from sysfs
  std::uint64_t config{0};
  std::uint64_t config1{0};
  std::uint64_t config2{0};
  bool in_user{true};
  bool in_kernel{true};

  /// Whether the kernel itself counts the event, so that it needs no hardware counter and is never
  /// multiplexed.
  [[nodiscard]] bool is_software() const;

  friend bool operator==(const CounterEvent&, const CounterEvent&) = default;
};

/// The event with this name, from any source that the top of this file lists.
Result<CounterEvent> counter_event(std::string_view name);

/// The generic names, for a message or a list.
std::vector<std::string> generic_counter_names();

/// A name of libpfm4's tables (`skx::INST_RETIRED:ANY`). Where this was built without libpfm4,
/// an Error that says so.
Result<CounterEvent> libpfm_event(const std::string& name);

}  // namespace assay
