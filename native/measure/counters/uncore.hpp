// Purpose: finds the memory controllers' counters, and encodes them as sysfs describes them.
//
//   const auto events = assay::memory_events();
//   if (!events) return events.error();
//   for (const auto& event : *events) open(event.event, event.cpu);
//
// The kernel describes a PMU in files: type, cpumask, format/FIELD ("config:8-15") and
// events/NAME ("event=0x04,umask=0x03", with NAME.scale and NAME.unit). Intel's
// uncore_imc* name their events there; AMD's amd_umc* do not, and neither names what goes
// to persistent memory, so those come from the vendors' lists.
//
// Thread safety: pure but for reading files below `root`, which lets tests pass a host of
// their own. Cost: some hundred small reads, 1 to 10 ms, before the measurement.
#pragma once

#include <assay/base/result.hpp>
#include <assay/measure/counters/counter_event.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The bits of one of the three words of configuration into which one field of an event goes.
struct FormatField {
  struct Bits {
    unsigned low;
    unsigned high;
  };
  int word{0};  // 0: config, 1: config1, 2: config2
  std::vector<Bits> bits{};
};

/// Parses the text of a file in format/: "config:0-7,32-35", "config1:0".
Result<FormatField> parse_format(std::string_view text);

using Format = std::map<std::string, FormatField, std::less<>>;

/// Encodes terms such as "event=0x04,umask=0x03" by the fields of a PMU's format. A term without
/// "=" means 1.
Result<CounterEvent> encode(std::string_view terms, const Format& format);

/// One counter to open: its count times bytes_per_count is bytes. A host has several with the same
/// `what`, one for each channel: add them up.
struct MemoryEvent {
  std::string what{};  // dram-read-bytes, dram-write-bytes, pmem-read-bytes, pmem-write-bytes
  std::string pmu{};
  CounterEvent event{};
  int cpu{0};
  double bytes_per_count{0};
};

inline constexpr std::string_view memory_counter_names[] = {"dram-read-bytes", "dram-write-bytes",
                                                            "pmem-read-bytes", "pmem-write-bytes"};
bool is_memory_counter(std::string_view name);

/// Every memory event of this host, or why there is none.
Result<std::vector<MemoryEvent>> memory_events(const std::filesystem::path& root = "/");

}  // namespace assay
