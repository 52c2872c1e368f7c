// Purpose: what a counter's readings mean: differences, overflow, multiplexing. No hardware.
//
//   const auto taken = assay::counted_between(before, after);
//   if (const auto count = assay::scaled(taken)) use(*count);
//
// Thread safety: pure. Cost: none to the measurement; this is arithmetic on readings.
#pragma once

#include <cstdint>
#include <optional>

namespace assay {

/// What the kernel says of one counter: its value, how long it was wanted, and how long it
/// really sat on a hardware counter. The two times differ when counters take turns.
struct CounterReading {
  std::uint64_t value{0};
  std::uint64_t enabled_ns{0};
  std::uint64_t running_ns{0};

  friend bool operator==(const CounterReading&, const CounterReading&) = default;
};

/// after - before of a counter `bits` wide that may have wrapped once in between.
/// perf_event_open's values are 64 bits wide; registers read directly are 40 to 48.
std::uint64_t wrapped_difference(std::uint64_t before, std::uint64_t after, unsigned bits = 64);

/// What happened between two readings of one counter.
CounterReading counted_between(const CounterReading& before, const CounterReading& after);

/// Two counters of the same event added up, as over CPUs or memory channels.
CounterReading added(const CounterReading& a, const CounterReading& b);

/// The count a counter would have had on the hardware all the time: value * enabled /
/// running, exact when it had. Nothing when it never ran: 0 would be an invention.
std::optional<double> scaled(const CounterReading& taken);

/// The share of the time it ran, 0 to 1: below about 0.2 a scaled count is a guess.
double running_share(const CounterReading& taken);

}  // namespace assay
