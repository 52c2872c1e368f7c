// Purpose: turns the number of a record into the bytes of its key, and back.
//
//   KeyMaker keys(options.key, file);
//   KeyBlock block(keys);
//   block.write(ids);                       // up to block.capacity() of them
//   tree.find(block.key(0), block.size(0), out);
//
// A generated key is the prefix, zeros, and a number in the last 8 bytes (in all, where the key is
// shorter). With KeyOrder::ordered that is the record's number, most significant byte first; with
// KeyOrder::hashed it is a scattered one, different for each record, in the machine's byte order.
//
// Thread safety: KeyMaker is immutable; a KeyBlock belongs to one thread.
// Cost: about 0.7 ns a key of any length; a copy of the key where it comes from a file.
#pragma once

#include <assay/index/options/options.hpp>
#include <assay/index/workload/key_file.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace assay::index {

class KeyMaker {
 public:
  /// `file` is nullptr if keys are generated; else the file must outlive this object.
  KeyMaker(const KeyOptions& options, const KeyFile* file);

  /// How many different keys there are.
  [[nodiscard]] std::uint64_t count() const;

  /// Bytes of the longest key, prefix included.
  [[nodiscard]] std::uint32_t bytes() const { return bytes_; }
  [[nodiscard]] bool has_one_length() const { return file_ == nullptr || file_->has_one_length(); }
  [[nodiscard]] const KeyFile* file() const { return file_; }
  [[nodiscard]] const std::string& prefix() const { return prefix_; }
  [[nodiscard]] std::uint32_t number_bytes() const { return number_bytes_; }

  [[nodiscard]] bool is_hashed() const { return is_hashed_; }

  /// A bijection of the numbers of `Bytes` bytes that scatters them: multiplying by an odd factor
  /// can be undone, and so can XORing the upper half into the lower.
  template <std::size_t Bytes>
  static std::uint64_t scattered(std::uint64_t id) {
    constexpr std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * Bytes);
    const std::uint64_t number = (id * factor) & mask;
    return number ^ (number >> (4 * Bytes));
  }

  /// The number of the record that has this generated key.
  [[nodiscard]] std::uint64_t id_of(const char* key) const;

  static constexpr std::uint64_t factor = 0x9e3779b97f4a7c15U;  // 2^64 / golden ratio

 private:
  std::string prefix_;
  std::uint32_t number_bytes_;
  std::uint32_t bytes_;
  bool is_hashed_;
  const KeyFile* file_;
};

class KeyBlock {
 public:
  static constexpr std::size_t most = 256;

  explicit KeyBlock(const KeyMaker& maker);

  /// How many keys a block holds: fewer if they are long, so that the block stays in the L1 cache.
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  void write(std::span<const std::uint64_t> ids);

  [[nodiscard]] const char* key(std::size_t at) const { return bytes_.data() + at * stride_; }
  [[nodiscard]] std::size_t size(std::size_t at) const { return sizes_[at]; }
  [[nodiscard]] std::size_t stride() const { return stride_; }

 private:
  template <std::size_t Bytes>
  void write_numbers(std::span<const std::uint64_t> ids);
  template <std::size_t Bytes, class NumberOf>
  void write_each(std::span<const std::uint64_t> ids, const NumberOf& number_of);
  void copy_from_file(std::span<const std::uint64_t> ids);

  const KeyMaker& maker_;
  std::size_t stride_;
  std::size_t capacity_;
  std::vector<char> bytes_;
  std::vector<std::uint32_t> sizes_;
};

}  // namespace assay::index
