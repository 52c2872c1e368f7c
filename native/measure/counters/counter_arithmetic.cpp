#include <assay/measure/counters/counter_arithmetic.hpp>

#include <algorithm>

namespace assay {

std::optional<double> scaled(const CounterReading& taken) {
  if (taken.running_ns == 0) return std::nullopt;
  const auto value = static_cast<double>(taken.value);
  // Kernels have reported running a few ns beyond enabled: then it ran all the time.
  if (taken.running_ns >= taken.enabled_ns) return value;
  // In floating point, because value * enabled may not fit in 64 bits.
  return value * (static_cast<double>(taken.enabled_ns) / static_cast<double>(taken.running_ns));
}

double running_share(const CounterReading& taken) {
  if (taken.enabled_ns == 0) return 0;
  return std::min(1.0,
                  static_cast<double>(taken.running_ns) / static_cast<double>(taken.enabled_ns));
}

}  // namespace assay
