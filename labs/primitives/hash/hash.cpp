// Checksums and hashes of 8 bytes to 1 MB.
#include <assay/primitives/hash/hash_group.hpp>

#include <array>
#include <functional>

namespace assay::primitives {
namespace {

using Table = std::array<std::uint32_t, 256>;

constexpr Table make_table() {
  // The polynomial with its bits in reverse order.
  constexpr std::uint32_t castagnoli = 0x82f63b78U;
  Table table{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) {
      value = (value >> 1U) ^ ((value & 1U) != 0 ? castagnoli : 0U);
    }
    table[byte] = value;
  }
  return table;
}

constexpr Table table = make_table();

}  // namespace

std::uint32_t crc32c_table(std::string_view text) {
  std::uint32_t value = ~0U;
  for (const char letter : text) {
    value = (value >> 8U) ^ table[(value ^ static_cast<unsigned char>(letter)) & 0xffU];
  }
  return ~value;
}

Group group() {
  Group group;
  add_hash(group, "HashType::Crc32cTable", crc32c_table,
           [] { return check_known(crc32c_table, crc32c_text, crc32c_of_text); });
  add_hash(group, "HashType::StdHash", std::hash<std::string_view>{});
  add_optional_parts(group);
  return group;
}

}  // namespace assay::primitives
