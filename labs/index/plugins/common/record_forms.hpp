// Purpose: keys and values as a map in memory holds them: as integers where they fit into one or
// two, so that a record of 8+8 bytes takes 16 and comparing two keys is one instruction.
//
//   WordKey::Held held = WordKey::from({key, key_size});   // in the order of memcmp
//   WordKey::append(buffer, held, key_size);
//
// Thread safety: pure. Cost: a byte swap for keys up to 8 bytes, two up to 16; longer ones are
// std::string.
#pragma once

#include <assay/index/plugins/common/scan_buffer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace assay::index {

/// Up to 8 bytes as a big-endian number, so that numbers compare as memcmp compares the bytes.
inline std::uint64_t big_endian(std::string_view bytes) {
  std::array<unsigned char, 8> padded{};
  std::memcpy(padded.data(), bytes.data(), bytes.size());
  std::uint64_t number = 0;
  // Compiled to one instruction, bswap.
  for (const unsigned char byte : padded) number = number << 8U | byte;
  return number;
}

inline std::array<char, 8> bytes_of(std::uint64_t number) {
  std::array<char, 8> bytes{};
  for (std::size_t at = 8; at-- > 0; number >>= 8U) bytes[at] = static_cast<char>(number & 0xffU);
  return bytes;
}

struct WordKey {
  using Held = std::uint64_t;
  static constexpr std::size_t most_bytes = 8;
  static Held from(std::string_view key) { return big_endian(key); }
  static void append(ScanBuffer& buffer, Held key, std::size_t size) {
    buffer.append(bytes_of(key).data(), size);
  }
};

struct TwoWordKey {
  using Held = std::array<std::uint64_t, 2>;
  static constexpr std::size_t most_bytes = 16;
  static Held from(std::string_view key) {
    if (key.size() <= 8) return {big_endian(key), 0};
    return {big_endian(key.substr(0, 8)), big_endian(key.substr(8))};
  }
  static void append(ScanBuffer& buffer, const Held& key, std::size_t size) {
    buffer.append(bytes_of(key[0]).data(), 8);
    buffer.append(bytes_of(key[1]).data(), size - 8);
  }
};

struct TextKey {
  using Held = std::string;
  static constexpr std::size_t most_bytes = ~std::size_t{0};
  static Held from(std::string_view key) { return Held(key); }
  static void append(ScanBuffer& buffer, const Held& key, std::size_t /*size*/) {
    buffer.append(key);
  }
};

/// Values of up to 8 bytes; shorter ones come back with zeros appended.
struct WordValue {
  using Held = std::uint64_t;
  static bool fits(std::string_view value) { return value.size() <= sizeof(Held); }
  static Held from(std::string_view value) {
    Held held = 0;
    std::memcpy(&held, value.data(), value.size());
    return held;
  }
  static std::string_view bytes(const Held& held) {
    return {reinterpret_cast<const char*>(&held), sizeof held};
  }
};

struct TextValue {
  using Held = std::string;
  static bool fits(std::string_view /*value*/) { return true; }
  static Held from(std::string_view value) { return Held(value); }
  static std::string_view bytes(const Held& held) { return held; }
};

}  // namespace assay::index
