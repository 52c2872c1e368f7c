// Purpose: finds the file that a hard link points to, and hard links that form a circle.
//
//   HardLinks links;
//   links.add(job, 7, id);                // a file with more than one name
//   links.target(job, 7);                 // id
//   links.add_unresolved(job, 9, 8);      // false: it would close a circle of such links
//
// Links whose first name has not come are remembered only to recognise such circles.
// Thread safety: one thread. Cost: some 20 to 50 bytes for each hard-linked name.
#pragma once

#include <assay/restore/compact/entry_store.hpp>
#include <assay/restore/rows/words.hpp>

namespace assay::restore {

/// JobId and FileIndex in one key. It is never 0, because a JobId is at least 1.
constexpr std::uint64_t key_of(std::uint32_t job_id, std::uint32_t file_index) {
  return std::uint64_t{job_id} << 32U | file_index;
}

/// A map from (JobId, FileIndex) to an entry or a number of 32 bits: one cache miss a search, 12
/// bytes a slot, filled to 3/4.
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

class HardLinks {
 public:
  [[nodiscard]] bool is_empty() const { return targets_.is_empty(); }

  /// The entry to restore for this (JobId, FileIndex), or no_id. If several were added, the first.
  [[nodiscard]] EntryId target(std::uint32_t job_id, std::uint32_t file_index) const {
    return targets_.find(key_of(job_id, file_index));
  }
  void add(std::uint32_t job_id, std::uint32_t file_index, EntryId target) {
    targets_.add_if_absent(key_of(job_id, file_index), target);
  }

  /// Remembers a link to `leads_to`, which no row has defined yet. False, and nothing is stored,
  /// when following such links from `leads_to` comes back to `file_index`. A link that is known
  /// stays as it is. Chains are shortened, so that a long one is not followed twice.
  bool add_unresolved(std::uint32_t job_id, std::uint32_t file_index, std::uint32_t leads_to) {
    if (leads_to == file_index) return false;
    const std::uint64_t key = key_of(job_id, file_index);
    if (hanging_.find(key) != no_id) return true;
    const std::uint32_t end = end_of_chain(job_id, leads_to);
    if (end == file_index) return false;
    hanging_.set(key, end);
    return true;
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return targets_.memory_bytes() + hanging_.memory_bytes();
  }

 private:
  [[nodiscard]] std::uint32_t end_of_chain(std::uint32_t job_id, std::uint32_t from) {
    std::uint32_t end = from;
    for (std::uint32_t next = end; next != no_id; next = hanging_.find(key_of(job_id, end))) {
      end = next;
    }
    if (end != from) hanging_.set(key_of(job_id, from), end);
    return end;
  }

  KeyMap targets_{};
  KeyMap hanging_{};
};

}  // namespace assay::restore
