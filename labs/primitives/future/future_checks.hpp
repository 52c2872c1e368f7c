// Purpose: checks a way of passing a value before it is timed: what was put in comes out, each
// time.
//
//   if (const Problem problem = check_hand_over<FutureType::Promise>()) ...
//
// Thread safety: pure, but for threads of the type's own. Cost: none to measurements.
#pragma once

#include <assay/primitives/group.hpp>

#include <cstdint>
#include <string>

namespace assay::primitives {

template <class Type>
Problem check_hand_over() {
  Type type;
  for (std::uint64_t value = 1; value <= 100; ++value) {
    const std::uint64_t received = type.hand_over(value * value);
    if (received == value * value) continue;
    return std::to_string(value * value) + " was handed over and " + std::to_string(received) +
           " received";
  }
  return {};
}

}  // namespace assay::primitives
