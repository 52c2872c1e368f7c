// Purpose: calls that the compiler neither removes, nor merges, nor moves out of a timed loop.
//
//   for (int i = 0; i < calls; ++i) do_not_optimize(std::strlen(opaque_value(text)));
//
//   std::uint64_t value = ++wanted;
//   make_opaque(value);                // may be anything now, for all the compiler knows
//
// opaque_value(x) is x, but the compiler cannot know its value; do_not_optimize(x) uses x in a
// way it cannot look into. benchmark::DoNotOptimize of a variable leaves g++ the choice of memory
// or register ("+m,r"), and under AddressSanitizer it was seen to read the one and to write the
// other: calls were lost, and a loop did not end. So make_opaque takes a register.
//
// Thread safety: no state. Cost: no instruction, or one move.
#pragma once

#include <type_traits>

namespace assay {

template <class T>
[[gnu::always_inline]] inline T opaque_value(T value) {
  asm volatile("" : "+r"(value) : : "memory");
  return value;
}

template <class T>
[[gnu::always_inline]] inline void do_not_optimize(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

template <class Number>
[[gnu::always_inline]] inline void make_opaque(Number& value) {
  static_assert(std::is_arithmetic_v<Number>);
  asm volatile("" : "+r"(value) : : "memory");
}

/// For the compiler, all memory is read and may be changed here: it neither drops the stores before
/// nor reuses what it had loaded.
[[gnu::always_inline]] inline void clobber_memory() {
  asm volatile("" : : : "memory");
}

}  // namespace assay
