// Purpose: checks a kind of callback before it is timed: every call arrives once, and with its
// argument, at the callable it was made of.
//
//   if (const Problem problem = check_callback<CallbackType::StdFunction, Adder>()) ...
//
// Thread safety: pure. Cost: none to measurements.
#pragma once

#include <assay/primitives/callback/callback_types.hpp>

#include <string>

namespace assay::primitives {

template <class Type, class Callable>
Problem check_callback() {
  Totals total;
  Totals other;
  const auto callee = callee_of<Type, Callable>(total);
  const auto other_callee = callee_of<Type, Callable>(other);
  std::uint64_t wanted = 0;
  for (std::uint64_t value = 1; value < (std::uint64_t{1} << 40U); value *= 3) {
    callee(value);
    wanted += value;
    if (total.sum() != wanted) {
      return "the total is " + std::to_string(total.sum()) + " after the call with " +
             std::to_string(value) + ", not " + std::to_string(wanted);
    }
  }
  other_callee(7);
  if (total.sum() != wanted || other.sum() != 7) return "a call arrived at another callable";
  return {};
}

}  // namespace assay::primitives
