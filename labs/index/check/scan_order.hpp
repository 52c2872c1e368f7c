// Purpose: the orders that a structure may keep its keys in, as bits, and which of them are still
// possible after the scans seen so far.
//
//   ScanOrders orders = every_scan_order;
//   orders = ascending(orders, {key, next_key, bytes});   // those in which the next is above
//   const std::string_view name = name_of_order(orders);  // as "bytes (memcmp)"
//
// PiBench's interface has keys of bytes and asks for "ascending key order". Some plug-ins take
// keys for bytes, others for numbers of either byte order, with a sign or without.
//
// Thread safety: functions of their arguments. Cost: about 1 ns for each order that is tested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace assay::index {

using ScanOrders = std::uint32_t;
constexpr ScanOrders every_scan_order = 15;

struct KeyPair {
  const char* low;
  const char* high;
  std::size_t bytes;
};

/// The orders of `orders` in which `high` is above `low`.
ScanOrders ascending(ScanOrders orders, const KeyPair& pair);

/// The name of the first order in the set; empty if the set is empty or has all orders.
std::string_view name_of_order(ScanOrders orders);

/// The lowest possible key in the first order of the set.
std::string lowest_key(ScanOrders orders, const std::string& prefix, std::size_t number_bytes);

/// The set without its first order.
constexpr ScanOrders without_first(ScanOrders orders) {
  return orders & (orders - 1);
}

}  // namespace assay::index
