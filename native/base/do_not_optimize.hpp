// Purpose: calls that the compiler neither removes, nor merges, nor moves out of the loop.
//
//   for (Calls i = 0; i < calls; ++i) keep(std::strlen(hidden(text)));
//
// hidden(x) is x, but the compiler cannot know its value; keep(x) uses x in a way it cannot
// look into. Thread safety: no state. Cost: no instruction, or one move.
#pragma once

namespace assay::os {

template <class T>
[[gnu::always_inline]] inline T hidden(T value) {
  asm volatile("" : "+r"(value) : : "memory");
  return value;
}

template <class T>
[[gnu::always_inline]] inline void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

/// Everything in memory may have changed, and may be looked at.
[[gnu::always_inline]] inline void touch_memory() {
  asm volatile("" : : : "memory");
}

}  // namespace assay::os
