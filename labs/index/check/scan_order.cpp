#include <assay/index/check/scan_order.hpp>

#include <array>
#include <bit>

namespace assay::index {
namespace {

constexpr unsigned sign_bit = 0x80;

struct Order {
  std::string_view name;
  bool is_little_endian;
  bool is_signed;
};

constexpr std::array<Order, 4> order_table{
    {{.name = "bytes (memcmp)", .is_little_endian = false, .is_signed = false},
     {.name = "little-endian numbers", .is_little_endian = true, .is_signed = false},
     {.name = "signed little-endian numbers", .is_little_endian = true, .is_signed = true},
     {.name = "signed big-endian numbers", .is_little_endian = false, .is_signed = true}}};

/// Byte `number` of a key, as this order compares it; byte 0 is the most significant one.
unsigned byte_of(const char* key, std::size_t number, std::size_t bytes, const Order& order) {
  const std::size_t at = order.is_little_endian ? bytes - 1 - number : number;
  const unsigned byte = static_cast<unsigned char>(key[at]);
  return order.is_signed && number == 0 ? byte ^ sign_bit : byte;
}

bool is_above(const KeyPair& pair, const Order& order) {
  for (std::size_t number = 0; number < pair.bytes; ++number) {
    const unsigned low = byte_of(pair.low, number, pair.bytes, order);
    const unsigned high = byte_of(pair.high, number, pair.bytes, order);
    if (low != high) return low < high;
  }
  return false;
}

const Order& first_of(ScanOrders orders) {
  return order_table[static_cast<std::size_t>(std::countr_zero(orders))];
}

}  // namespace

ScanOrders ascending(ScanOrders orders, const KeyPair& pair) {
  ScanOrders left = 0;
  for (std::size_t i = 0; i < order_table.size(); ++i) {
    const ScanOrders bit = ScanOrders{1} << i;
    if ((orders & bit) != 0 && is_above(pair, order_table[i])) left |= bit;
  }
  return left;
}

std::string_view name_of_order(ScanOrders orders) {
  return orders == 0 || orders == every_scan_order ? "" : first_of(orders).name;
}

std::string lowest_key(ScanOrders orders, const std::string& prefix, std::size_t number_bytes) {
  std::string key = prefix + std::string(number_bytes, '\0');
  const Order& order = first_of(orders);
  if (!order.is_signed) return key;
  if (order.is_little_endian) key.back() = static_cast<char>(sign_bit);
  if (!order.is_little_endian && prefix.empty()) key.front() = static_cast<char>(sign_bit);
  return key;
}

}  // namespace assay::index
