// Purpose: scales a counter's reading where counters are multiplexed: they take turns on the
// hardware.
//
//   const assay::CounterReading taken{.value = 40, .enabled_ns = 100, .running_ns = 50};
//   if (const auto count = assay::scaled(taken)) use(*count);   // 80
//
// Units: events, and nanoseconds. Errors: no count where the counter never ran.
// Thread safety: pure. Cost: none to the measurement; this is arithmetic on readings.
#pragma once

#include <cstdint>
#include <optional>

namespace assay {

/// What the kernel says of one counter: its value, for how long it was enabled, and for how long it
/// really ran on a hardware counter. The two times differ when counters take turns.
struct CounterReading {
  std::uint64_t value{0};
  std::uint64_t enabled_ns{0};
  std::uint64_t running_ns{0};

  friend bool operator==(const CounterReading&, const CounterReading&) = default;
};

/// The count as if the counter had run all the time: value * enabled / running, which is exact
/// when it did run all the time. Nothing when it never ran, because 0 would be invented.
std::optional<double> scaled(const CounterReading& taken);

/// The share of the time in which it ran, 0 to 1: below about 0.2 a scaled count is a guess.
double running_share(const CounterReading& taken);

}  // namespace assay
