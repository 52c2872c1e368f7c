// Purpose: keep the compiler from knowing a number, inside a timed loop.
//
//   std::uint64_t value = ++wanted;
//   opaque(value);                     // may be anything now, for all the compiler knows
//
// benchmark::DoNotOptimize of a variable leaves g++ the choice of memory or register ("+m,r"),
// and under AddressSanitizer it was seen to read the one and to write the other: calls went
// lost, a loop did not end. Thread safety: none needed. Cost: none, but what it is there for.
#pragma once

#include <type_traits>

namespace assay::suites {

template <class Number>
[[gnu::always_inline]] inline void opaque(Number& value) {
  static_assert(std::is_arithmetic_v<Number>);
  asm volatile("" : "+r"(value) : : "memory");
}

}  // namespace assay::suites
