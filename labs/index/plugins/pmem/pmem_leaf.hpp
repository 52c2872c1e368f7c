// Purpose: a leaf of the persistent B+-tree: up to 48 slots for records, in no order, and one cache
// line that says which slots are used.
//
//   PmemLeaf leaf(shape, header);
//   const int slot = leaf.find(key);                       // -1: not there
//   leaf.put(pool, key, value, slot);                      // in a free slot, replacing `slot`
//
// A record is written to a free slot and made durable; then one store of eight bytes marks its
// slot as used and that of the record it replaces as free. So at every moment the leaf holds the
// old record or the new one, whole. Fingerprints (a byte of hash for each slot) are written to the
// same cache line before that store, so they are durable when it is.
//
// Thread safety: one writer or several readers; the caller must make sure of that. Cost: put takes
// two flushes and two fences, clear one of each; find compares 48 bytes and, nearly always, one
// key.
#pragma once

#include <assay/index/plugins/common/record_forms.hpp>

#include <libpmemobj.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay::index {

constexpr std::size_t most_slots = 48;

/// The header of a leaf, in persistent memory. Everything that changes is in its first cache line.
struct alignas(64) PmemLeafHeader {
  std::uint64_t used;  // bit i: slot i holds a record
  std::uint64_t next;  // offset of the next leaf to the right; 0: none
  std::array<std::uint8_t, most_slots> fingerprints;
  // Offset of the allocated memory, to free it; the header is aligned inside it.
  std::uint64_t allocation;
  std::array<std::uint64_t, 7> spare;
};
static_assert(offsetof(PmemLeafHeader, allocation) == 64, "what changes is one cache line");

/// The layout of the leaves of one pool: the header, the lowest key that belongs to the leaf, then
/// slots, each with a key, a value and the value's size.
class PmemLeafShape {
 public:
  PmemLeafShape(std::size_t key_bytes, std::size_t value_bytes)
      : key_bytes_(key_bytes), value_bytes_(value_bytes) {}

  [[nodiscard]] std::size_t key_bytes() const { return key_bytes_; }
  [[nodiscard]] std::size_t value_bytes() const { return value_bytes_; }
  [[nodiscard]] std::size_t slot_bytes() const {
    return in_words(key_bytes_ + value_bytes_ + sizeof(std::uint32_t));
  }
  /// How many slots a leaf has: 48 for small records, fewer for large ones, so that a leaf stays
  /// near 4 KiB.
  [[nodiscard]] std::size_t slots() const {
    constexpr std::size_t near = 4096;
    constexpr std::size_t least = 8;
    return std::clamp(near / slot_bytes(), least, most_slots);
  }
  [[nodiscard]] std::size_t first_slot() const {
    return sizeof(PmemLeafHeader) + in_words(key_bytes_);
  }
  [[nodiscard]] std::size_t leaf_bytes() const { return first_slot() + slots() * slot_bytes(); }

 private:
  static std::size_t in_words(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

  std::size_t key_bytes_;
  std::size_t value_bytes_;
};

class PmemLeaf {
 public:
  PmemLeaf(const PmemLeafShape& shape, PmemLeafHeader* header) : shape_(shape), header_(header) {}

  [[nodiscard]] PmemLeafHeader* header() const { return header_; }
  [[nodiscard]] char* low() const { return start() + sizeof(PmemLeafHeader); }
  [[nodiscard]] std::string_view key(std::size_t slot) const {
    return {at(slot), shape_.key_bytes()};
  }
  [[nodiscard]] std::string_view value(std::size_t slot) const {
    std::uint32_t size = 0;
    std::memcpy(&size, at(slot) + size_place(), sizeof size);
    return {at(slot) + shape_.key_bytes(), size};
  }

  [[nodiscard]] bool empty() const { return header_->used == 0; }
  [[nodiscard]] bool full() const { return std::popcount(header_->used) == slots(); }

  [[nodiscard]] int find(std::string_view wanted) const {
    const std::uint8_t print = fingerprint(wanted);
    for (std::uint64_t left = header_->used; left != 0; left &= left - 1) {
      const auto slot = static_cast<std::size_t>(std::countr_zero(left));
      if (header_->fingerprints[slot] == print && key(slot) == wanted) {
        return static_cast<int>(slot);
      }
    }
    return -1;
  }

  /// Adds a record; there must be a free slot. `replaced` is the slot of the record that it
  /// replaces, or -1.
  void put(PMEMobjpool* pool, std::string_view key, std::string_view value, int replaced) const {
    const auto slot = static_cast<std::size_t>(std::countr_one(header_->used));
    write(slot, key, value);
    pmemobj_persist(pool, at(slot), shape_.slot_bytes());
    header_->fingerprints[slot] = fingerprint(key);
    set_used_slots(pool, (header_->used | bit(slot)) & ~(replaced < 0 ? 0 : bit(replaced)));
  }

  void clear(PMEMobjpool* pool, int slot) const {
    set_used_slots(pool, header_->used & ~bit(slot));
  }

  /// Adds a record to a leaf that nothing points to yet. The record becomes durable with the
  /// transaction that makes the leaf.
  void fill(std::size_t slot, std::string_view key, std::string_view value) const {
    write(slot, key, value);
    header_->fingerprints[slot] = fingerprint(key);
    header_->used |= bit(slot);
  }

  template <class Slot>
  static std::uint64_t bit(Slot slot) {
    return std::uint64_t{1} << static_cast<unsigned>(slot);
  }

 private:
  /// A byte of hash. std::hash may differ in another standard library, with which a pool may be
  /// opened later, so it is not used.
  static std::uint8_t fingerprint(std::string_view key) {
    std::uint64_t mixed = 0;
    for (; !key.empty(); key.remove_prefix(std::min<std::size_t>(key.size(), 8))) {
      mixed = (mixed ^ big_endian(key.substr(0, 8))) * 0x9e3779b97f4a7c15U;
      mixed ^= mixed >> 32U;
    }
    return static_cast<std::uint8_t>(mixed);
  }

  [[nodiscard]] int slots() const { return static_cast<int>(shape_.slots()); }
  [[nodiscard]] char* start() const { return reinterpret_cast<char*>(header_); }
  [[nodiscard]] char* at(std::size_t slot) const {
    return start() + shape_.first_slot() + slot * shape_.slot_bytes();
  }
  [[nodiscard]] std::size_t size_place() const { return shape_.key_bytes() + shape_.value_bytes(); }

  void write(std::size_t slot, std::string_view key, std::string_view value) const {
    const auto size = static_cast<std::uint32_t>(value.size());
    std::memcpy(at(slot), key.data(), key.size());
    std::memcpy(at(slot) + key.size(), value.data(), value.size());
    std::memcpy(at(slot) + size_place(), &size, sizeof size);
  }

  /// The store that decides which slots hold records. Release order, because the records were
  /// stored before.
  void set_used_slots(PMEMobjpool* pool, std::uint64_t slots) const {
    std::atomic_ref(header_->used).store(slots, std::memory_order_release);
    pmemobj_persist(pool, header_, 64);
  }

  const PmemLeafShape& shape_;
  PmemLeafHeader* header_;
};

}  // namespace assay::index
