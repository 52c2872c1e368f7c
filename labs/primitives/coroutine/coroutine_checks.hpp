// Purpose: checks ways of awaiting and of generating before they are timed: every value is asked
// for and comes back, in order.
//
//   if (const Problem problem = check_generate<GenerateType::Coroutine>()) ...
//
// Thread safety: pure. Cost: none to measurements.
#pragma once

#include <assay/primitives/group.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace assay::primitives {

template <class Type>
Problem check_await() {
  std::uint64_t next = 0;
  std::uint64_t wanted = 0;
  const std::uint64_t sum = Type::sum([&]() -> std::optional<std::uint64_t> {
    if (next == 100) return {};
    ++next;
    wanted += 3 * next;
    return next;
  });
  if (next != 100) return "it stopped after " + std::to_string(next) + " of 100 values";
  if (sum == wanted) return {};
  return "the sum is " + std::to_string(sum) + ", not " + std::to_string(wanted);
}

template <class Type>
Problem check_generate() {
  for (const std::uint64_t last : {0U, 1U, 1'000U}) {
    std::uint64_t seen = 0;
    bool is_in_order = true;
    Type::each(last, [&](std::uint64_t value) { is_in_order &= value == ++seen; });
    if (!is_in_order) return "values came in another order";
    if (seen != last) return std::to_string(seen) + " of " + std::to_string(last) + " values came";
  }
  return {};
}

}  // namespace assay::primitives
