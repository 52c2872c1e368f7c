// Purpose: a map from (JobId, FileIndex) to a number of 32 bits, by which hard links are found.
//
//   KeyMap map;
//   map.add_if_absent(key_of(job_id, file_index), id);
//   map.find(key);   // or no_id
//
// Thread safety: one thread. Cost: one cache miss a search; 12 bytes a slot, filled to 3/4.
#pragma once

#include <assay/restore/compact/entry_store.hpp>
#include <assay/restore/rows/words.hpp>

namespace assay::restore {

/// JobId and FileIndex in one key. It is never 0, because a JobId is at least 1.
constexpr std::uint64_t key_of(std::uint32_t job_id, std::uint32_t file_index) {
  return std::uint64_t{job_id} << 32U | file_index;
}

class KeyMap {
 public:
  [[nodiscard]] bool is_empty() const { return size_ == 0; }

  [[nodiscard]] std::uint32_t find(std::uint64_t key) const {
    if (keys_.empty()) return no_id;
    const std::size_t slot = slot_of(key);
    return keys_[slot] == key ? values_[slot] : no_id;
  }

  void add_if_absent(std::uint64_t key, std::uint32_t value) {
    if (find(key) == no_id) set(key, value);
  }

  void set(std::uint64_t key, std::uint32_t value) {
    if ((size_ + 1) * 4 > keys_.size() * 3) grow();
    const std::size_t slot = slot_of(key);
    if (keys_[slot] != key) ++size_;
    keys_[slot] = key;
    values_[slot] = value;
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return keys_.capacity() * sizeof(std::uint64_t) + values_.capacity() * sizeof(std::uint32_t);
  }

 private:
  /// The slot that holds the key, or the empty one where it would be added.
  [[nodiscard]] std::size_t slot_of(std::uint64_t key) const {
    const std::size_t mask = keys_.size() - 1;
    std::size_t slot = fold_product(key, 0x9e3779b97f4a7c15U) & mask;
    while (keys_[slot] != 0 && keys_[slot] != key) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    std::vector<std::uint64_t> keys(keys_.empty() ? 16 : keys_.size() * 2);
    std::vector<std::uint32_t> values(keys.size());
    keys.swap(keys_);
    values.swap(values_);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (keys[i] == 0) continue;
      const std::size_t slot = slot_of(keys[i]);
      keys_[slot] = keys[i];
      values_[slot] = values[i];
    }
  }

  std::vector<std::uint64_t> keys_{};
  std::vector<std::uint32_t> values_{};
  std::size_t size_{0};
};

}  // namespace assay::restore
