// Purpose: the kinds of operation the index lab knows, and a container with a value for each.
//
//   PerOperation<double> ratios{};
//   ratios[Operation::read] = 0.95;
//
// Thread safety: values. Cost: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace assay::index {

enum class Operation : std::uint8_t { read, insert, update, remove, scan, read_modify_write };

inline constexpr std::array<Operation, 6> all_operations{
    Operation::read,   Operation::insert, Operation::update,
    Operation::remove, Operation::scan,   Operation::read_modify_write};
inline constexpr std::size_t operation_count = all_operations.size();

constexpr std::string_view name_of(Operation operation) {
  constexpr std::array<std::string_view, operation_count> names{
      "read", "insert", "update", "remove", "scan", "read_modify_write"};
  return names[static_cast<std::size_t>(operation)];
}

template <class T>
struct PerOperation {
  std::array<T, operation_count> values{};

  constexpr T& operator[](Operation operation) {
    return values[static_cast<std::size_t>(operation)];
  }
  constexpr const T& operator[](Operation operation) const {
    return values[static_cast<std::size_t>(operation)];
  }
};

}  // namespace assay::index
