// Purpose: keys by number, and values that say whose they are, in which version, and whether they
// are whole.
//
//   CheckedRecord record(plan.key_size, plan.value_size);
//   tree.insert(record.key(7).data(), ..., record.value(7, 3).data(), ...);
//   record.version_of(7, bytes);          // 3; nullopt when a byte of it is not as it should be
//
// A value is its version in 4 bytes, then bytes that follow from key and version. So any mixture
// of two values, and any value of another key, is seen, with values of 16 bytes and more nearly
// surely (1 in 2^32 for 8).
//
// Thread safety: const functions, any thread. Cost: a byte generator, about 0.3 ns a byte.
#pragma once

#include <assay/base/random.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace assay::index::crash {

class CheckedRecord {
 public:
  CheckedRecord(std::size_t key_size, std::size_t value_size)
      : key_size_(key_size), value_size_(value_size) {}

  [[nodiscard]] std::size_t key_size() const { return key_size_; }
  [[nodiscard]] std::size_t value_size() const { return value_size_; }

  /// The key with this number in its last four bytes, big-endian, so that keys sort as numbers do.
  [[nodiscard]] std::string key(std::uint32_t number) const {
    std::string key(key_size_, 'k');
    for (std::size_t place = 1; place <= 4; ++place, number >>= 8U) {
      key[key_size_ - place] = static_cast<char>(number & 0xffU);
    }
    return key;
  }

  /// The number in a key that key() made; nothing for any other bytes.
  [[nodiscard]] std::optional<std::uint32_t> number_of(std::string_view found) const {
    std::uint32_t number = 0;
    for (const char byte : found.substr(found.size() - 4)) {
      number = number << 8U | static_cast<unsigned char>(byte);
    }
    if (key(number) != found) return std::nullopt;
    return number;
  }

  [[nodiscard]] std::string value(std::uint32_t number, std::uint32_t version) const {
    std::string value(value_size_, '\0');
    std::memcpy(value.data(), &version, sizeof version);
    SplitMix mix(std::uint64_t{number} << 32U | version);
    for (std::size_t at = sizeof version; at < value_size_; at += sizeof(std::uint64_t)) {
      const std::uint64_t word = mix.next();
      std::memcpy(value.data() + at, &word, std::min(sizeof word, value_size_ - at));
    }
    return value;
  }

  [[nodiscard]] std::optional<std::uint32_t> version_of(std::uint32_t number,
                                                        std::string_view found) const {
    std::uint32_t version = 0;
    std::memcpy(&version, found.data(), sizeof version);
    if (value(number, version) != found) return std::nullopt;
    return version;
  }

 private:
  std::size_t key_size_;
  std::size_t value_size_;
};

}  // namespace assay::index::crash
