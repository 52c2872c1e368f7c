// Purpose: a directory's entries by name: open addressing, five bytes a slot.
//
//   const ChildTable::Found found = table.find(hash, [&](EntryId id) { return name(id) == n; });
//   if (found.id == no_id) table.add(found.slot, hash, id);
//
// One table for each directory, not one for all: rows come directory by directory, and the
// one in use stays in cache. A slot's tag, eight bits of the hash, spares most comparisons.
// Thread safety: one thread. Cost: a cache miss or two in a large directory; filled to 7/8.
#pragma once

#include <assay/suites/restore/entry_store.hpp>

#include <cstring>

namespace assay::restore {

class ChildTable {
 public:
  struct Found {
    EntryId id;
    std::uint32_t slot;  // where it is, or would go
  };

  [[nodiscard]] std::uint32_t capacity() const { return mask_ == 0 ? 0 : mask_ + 1; }
  /// Whether one more entry than `count` asks for a larger table.
  [[nodiscard]] bool is_full_at(std::uint32_t count) const {
    return std::uint64_t{count} + 1 > std::uint64_t{capacity()} * 7 / 8;
  }

  template <class IsIt>
  [[nodiscard]] Found find(std::uint64_t hash, IsIt is_it) const {
    const std::uint8_t tag = tag_of(hash);
    std::uint32_t slot = static_cast<std::uint32_t>(hash) & mask_;
    for (; tags()[slot] != empty; slot = (slot + 1) & mask_) {
      if (tags()[slot] == tag && is_it(id_at(slot))) return {id_at(slot), slot};
    }
    return {no_id, slot};
  }

  void prefetch(std::uint64_t hash) const {
    const std::uint32_t slot = static_cast<std::uint32_t>(hash) & mask_;
    __builtin_prefetch(tags() + slot, 1);
    __builtin_prefetch(ids() + std::size_t{slot} * sizeof(EntryId), 1);
  }

  void add(std::uint32_t slot, std::uint64_t hash, EntryId id) {
    tags()[slot] = tag_of(hash);
    std::memcpy(ids() + std::size_t{slot} * sizeof id, &id, sizeof id);
  }

  /// An empty table of that many slots, a power of two.
  void reset(std::uint32_t slots) {
    memory_ = std::make_unique_for_overwrite<std::uint8_t[]>(std::size_t{slots} * slot_bytes);
    mask_ = slots - 1;
    std::memset(memory_.get(), empty, slots);
  }

  [[nodiscard]] std::size_t memory_bytes() const { return std::size_t{capacity()} * slot_bytes; }

 private:
  static constexpr std::uint8_t empty = 0;
  static constexpr std::size_t slot_bytes = 1 + sizeof(EntryId);

  static std::uint8_t tag_of(std::uint64_t hash) {
    const auto tag = static_cast<std::uint8_t>(hash >> 56U);
    return tag == empty ? 1 : tag;
  }
  [[nodiscard]] std::uint8_t* tags() const { return memory_.get(); }
  [[nodiscard]] std::uint8_t* ids() const { return memory_.get() + capacity(); }
  [[nodiscard]] EntryId id_at(std::uint32_t slot) const {
    EntryId id;
    std::memcpy(&id, ids() + std::size_t{slot} * sizeof id, sizeof id);
    return id;
  }

  std::unique_ptr<std::uint8_t[]> memory_{};
  std::uint32_t mask_{0};
};

}  // namespace assay::restore
