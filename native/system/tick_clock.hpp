// Purpose: the cheapest trustworthy clock of this host, for timing single operations.
//
//   const assay::TickClock& clock = assay::TickClock::of_this_host();
//   const std::uint64_t began = clock.begin();
//   work();
//   const std::int64_t took_ns = clock.ns_between(began, clock.end());
//
// It is the timestamp counter where that has a constant rate and the kernel itself keeps time by
// it; its frequency is measured against CLOCK_MONOTONIC. Otherwise it is CLOCK_MONOTONIC.
//
// Units: readings are ticks, which only ns_between() converts. Errors: none.
// Thread safety: any thread; the clock never changes once made. Cost: 2 ms to calibrate, at
// first use; a reading 20 to 25 ns by the counter, 25 to 40 ns otherwise. What is timed
// includes about one reading (context.assay.clock.cost_ns); nothing is subtracted.
#pragma once

#include <assay/system/clock.hpp>
#include <assay/system/tick_counter.hpp>

#include <cstdint>
#include <string_view>

namespace assay {

enum class TickSource : std::uint8_t { counter, monotonic };

/// The counter only if its rate is constant and it is the kernel's own clock source ("tsc").
TickSource choose_tick_source(bool is_invariant, std::string_view kernel_clock_source);

/// The same moment on both clocks.
struct TickMoment {
  std::uint64_t ticks{0};
  std::int64_t ns{0};
};

/// The counter's frequency in Hz; 0 unless both clocks advanced from the first to the second.
double ticks_per_second(const TickMoment& first, const TickMoment& second);

class TickClock {
 public:
  /// The clock that all measurements share; calibrated by the first call.
  static const TickClock& of_this_host();

  /// A clock whose ticks come `frequency_hz` times a second.
  TickClock(TickSource source, double frequency_hz);

  /// A reading, in ticks, before what is timed; end() gives the one after it.
  [[nodiscard]] std::uint64_t begin() const noexcept {
    return is_counter_ ? tick_counter::begin() : static_cast<std::uint64_t>(assay::now_ns());
  }
  [[nodiscard]] std::uint64_t end() const noexcept {
    return is_counter_ ? tick_counter::end() : static_cast<std::uint64_t>(assay::now_ns());
  }

  /// Nanoseconds from the first reading to the second, rounded; negative when it is before.
  [[nodiscard]] std::int64_t ns_between(std::uint64_t first, std::uint64_t second) const noexcept {
    const Wide ticks = static_cast<std::int64_t>(second - first);
    return static_cast<std::int64_t>((ticks * ns_per_tick_ + half) >> fraction_bits);
  }

  /// Nanoseconds since some moment in the past: only differences mean anything.
  [[nodiscard]] std::int64_t now_ns() const noexcept { return ns_between(0, end()); }

  [[nodiscard]] std::string_view source() const { return is_counter_ ? "tsc" : "CLOCK_MONOTONIC"; }
  [[nodiscard]] double frequency_hz() const { return frequency_hz_; }

 private:
  __extension__ using Wide = __int128;
  static constexpr unsigned fraction_bits = 32;
  static constexpr Wide half = Wide{1} << (fraction_bits - 1);

  bool is_counter_;
  double frequency_hz_;
  std::int64_t ns_per_tick_;  // times 2^32
};

}  // namespace assay
