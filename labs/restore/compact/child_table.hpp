// Purpose: a directory's entries by name: open addressing, five bytes a slot.
//
//   const ChildTable::Found found = table.find(hash, [&](EntryId id) { return name(id) == n; });
//   if (found.id == no_id) table.add(found.slot, hash, id);
//
// There is one table for each directory, not one for all: rows come directory by directory, and
// the table in use stays in cache. A slot's tag, eight bits of the hash, saves most comparisons of
// names. Eight tags are compared at once, as a loop over single slots would end where the processor
// does not predict it. Thread safety: one thread. Cost: a cache miss or two a search in a large
// directory; at most 7/8 of the slots are in use.
#pragma once

#include <assay/restore/compact/entry_store.hpp>

#include <bit>
#include <cstring>

namespace assay::restore {

class ChildTable {
 public:
  struct Found {
    EntryId id;
    std::uint32_t slot;  // where the entry is, or where it would be added
  };

  [[nodiscard]] std::uint32_t capacity() const { return mask_ == 0 ? 0 : mask_ + 1; }
  /// Whether one more entry does not fit, when there are `count` already.
  [[nodiscard]] bool is_full_at(std::uint32_t count) const {
    return std::uint64_t{count} + 1 > std::uint64_t{capacity()} * 7 / 8;
  }

  template <class IsIt>
  [[nodiscard]] Found find(std::uint64_t hash, IsIt is_it) const {
    const std::uint64_t tag = ones * tag_of(hash);
    for (std::uint32_t slot = static_cast<std::uint32_t>(hash) & mask_;; slot += group) {
      slot &= mask_;
      const std::uint64_t tags = group_at(slot);
      const std::uint64_t empties = zero_bytes(tags);
      std::uint64_t candidates = zero_bytes(tags ^ tag) & below_lowest(empties);
      for (; candidates != 0; candidates &= candidates - 1) {
        const std::uint32_t at = (slot + byte_of(candidates)) & mask_;
        if (is_it(id_at(at))) return {id_at(at), at};
      }
      if (empties != 0) return {no_id, (slot + byte_of(empties)) & mask_};
    }
  }

  void prefetch(std::uint64_t hash) const {
    const std::uint32_t slot = static_cast<std::uint32_t>(hash) & mask_;
    __builtin_prefetch(tags() + slot, 1);
    __builtin_prefetch(ids() + std::size_t{slot} * sizeof(EntryId), 1);
  }

  void add(std::uint32_t slot, std::uint64_t hash, EntryId id) {
    tags()[slot] = tag_of(hash);
    if (slot < group) tags()[capacity() + slot] = tag_of(hash);
    std::memcpy(ids() + std::size_t{slot} * sizeof id, &id, sizeof id);
  }

  /// Makes the table empty, with that many slots, which must be a power of two.
  void reset(std::uint32_t slots) {
    memory_ = std::make_unique_for_overwrite<std::uint8_t[]>(bytes_of(slots));
    mask_ = slots - 1;
    std::memset(memory_.get(), empty, std::size_t{slots} + group);
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return capacity() == 0 ? 0 : bytes_of(capacity());
  }

 private:
  static constexpr std::uint8_t empty = 0;
  static constexpr std::uint32_t group = 8;  // tags compared at once; the first eight are repeated
                                             // after the last
  static constexpr std::uint64_t ones = 0x0101010101010101U;

  static constexpr std::size_t bytes_of(std::uint32_t slots) {
    return std::size_t{slots} * (1 + sizeof(EntryId)) + group;
  }
  /// Sets the upper bit of each byte that is zero. In bytes above the lowest zero byte the bit may
  /// be set wrongly.
  static constexpr std::uint64_t zero_bytes(std::uint64_t bytes) {
    return (bytes - ones) & ~bytes & (ones << 7U);
  }
  static constexpr std::uint64_t below_lowest(std::uint64_t bits) { return (bits - 1) & ~bits; }
  static std::uint32_t byte_of(std::uint64_t bits) {
    return static_cast<std::uint32_t>(std::countr_zero(bits)) / 8;
  }

  static std::uint8_t tag_of(std::uint64_t hash) {
    const auto tag = static_cast<std::uint8_t>(hash >> 56U);
    return tag == empty ? 1 : tag;
  }
  [[nodiscard]] std::uint8_t* tags() const { return memory_.get(); }
  /// The eight tags from `slot` on as one number, the first in the lowest byte.
  [[nodiscard]] std::uint64_t group_at(std::uint32_t slot) const {
    std::uint64_t bytes = 0;
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&bytes, tags() + slot, group);
    } else {
      for (std::uint32_t i = group; i-- > 0;) bytes = bytes << 8U | tags()[slot + i];
    }
    return bytes;
  }
  [[nodiscard]] std::uint8_t* ids() const { return memory_.get() + capacity() + group; }
  [[nodiscard]] EntryId id_at(std::uint32_t slot) const {
    EntryId id;
    std::memcpy(&id, ids() + std::size_t{slot} * sizeof id, sizeof id);
    return id;
  }

  std::unique_ptr<std::uint8_t[]> memory_{};
  std::uint32_t mask_{0};
};

}  // namespace assay::restore
