#include <assay/measure/counters/counter_arithmetic.hpp>

#include <algorithm>

namespace assay {

std::uint64_t wrapped_difference(std::uint64_t before, std::uint64_t after, unsigned bits) {
  const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  return (after - before) & mask;
}

CounterReading counted_between(const CounterReading& before, const CounterReading& after) {
  // Times only grow; a smaller one is a counter opened anew, of which nothing is known.
  if (after.enabled_ns < before.enabled_ns || after.running_ns < before.running_ns) return {};
  return {.value = wrapped_difference(before.value, after.value),
          .enabled_ns = after.enabled_ns - before.enabled_ns,
          .running_ns = after.running_ns - before.running_ns};
}

CounterReading added(const CounterReading& a, const CounterReading& b) {
  return {.value = a.value + b.value,
          .enabled_ns = a.enabled_ns + b.enabled_ns,
          .running_ns = a.running_ns + b.running_ns};
}

std::optional<double> scaled(const CounterReading& taken) {
  if (taken.running_ns == 0) return std::nullopt;
  const auto value = static_cast<double>(taken.value);
  // Kernels have reported running a few ns beyond enabled: then it ran all the time.
  if (taken.running_ns >= taken.enabled_ns) return value;
  // The quotient first: value * enabled may not fit in 64 bits, and need not.
  return value * (static_cast<double>(taken.enabled_ns) / static_cast<double>(taken.running_ns));
}

double running_share(const CounterReading& taken) {
  if (taken.enabled_ns == 0) return 0;
  return std::min(1.0,
                  static_cast<double>(taken.running_ns) / static_cast<double>(taken.enabled_ns));
}

}  // namespace assay
