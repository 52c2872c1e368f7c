#include <assay/system/tick_clock.hpp>

#include <assay/base/units.hpp>

#include <cmath>
#include <fstream>
#include <limits>
#include <string>

namespace assay {
namespace {

constexpr const char* kernel_source_file =
    "/sys/devices/system/clocksource/clocksource0/current_clocksource";
constexpr std::int64_t calibration_ns = 2 * ns_per_ms;
constexpr int tries = 50;

std::string kernel_clock_source() {
  std::ifstream file(kernel_source_file);
  std::string name;
  file >> name;
  return name;
}

/// Reads both clocks together, many times, and keeps the pair of readings that lie closest: where
/// an interrupt came between them they lie far apart.
TickMoment read_both() {
  TickMoment moment;
  std::uint64_t narrowest = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < tries; ++i) {
    const std::uint64_t before = tick_counter::end();
    const std::int64_t ns = now_ns();
    const std::uint64_t width = tick_counter::end() - before;
    if (width >= narrowest) continue;
    narrowest = width;
    moment = {.ticks = before + width / 2, .ns = ns};
  }
  return moment;
}

double measured_frequency() {
  const TickMoment first = read_both();
  while (now_ns() < first.ns + calibration_ns) {
  }
  return ticks_per_second(first, read_both());
}

TickClock calibrated() {
  const auto monotonic = TickClock(TickSource::monotonic, ns_per_s);
  if (choose_tick_source(tick_counter::is_invariant(), kernel_clock_source()) ==
      TickSource::monotonic) {
    return monotonic;
  }
  const double frequency_hz = measured_frequency();
  return frequency_hz > 0 ? TickClock(TickSource::counter, frequency_hz) : monotonic;
}

}  // namespace

TickSource choose_tick_source(bool is_invariant, std::string_view kernel_clock_source) {
  return is_invariant && kernel_clock_source == "tsc" ? TickSource::counter : TickSource::monotonic;
}

double ticks_per_second(const TickMoment& first, const TickMoment& second) {
  if (second.ns <= first.ns || second.ticks <= first.ticks) return 0;
  return static_cast<double>(second.ticks - first.ticks) /
         static_cast<double>(second.ns - first.ns) * ns_per_s;
}

TickClock::TickClock(TickSource source, double frequency_hz)
    : is_counter_(source == TickSource::counter),
      frequency_hz_(frequency_hz),
      ns_per_tick_(std::llround(std::ldexp(ns_per_s / frequency_hz, fraction_bits))) {}

const TickClock& TickClock::of_this_host() {
  static const TickClock clock = calibrated();
  return clock;
}

}  // namespace assay
