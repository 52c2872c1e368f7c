// Purpose: the entries of a compact tree: names and facts in columns, about 24 bytes an entry
// beside its name.
//
//   EntryStore entries;
//   const EntryId id = entries.add(parent, "file7");
//   entries.set(Flag::marked, id, true);
//
// Entries are numbered in the order in which they arrive, and are never moved or removed. Columns
// are cut into blocks, so that growing copies nothing. Flags are bits, so that marking a directory
// whose files arrived together is a loop over words.
// Thread safety: one thread. Cost: adding an entry is mostly touching new memory.
#pragma once

#include <assay/restore/compact/memory_region.hpp>
#include <assay/restore/compact/name_arena.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string_view>
#include <vector>

namespace assay::restore {

using EntryId = std::uint32_t;
using DirectoryId = std::uint32_t;
inline constexpr std::uint32_t no_id = std::numeric_limits<std::uint32_t>::max();

enum class Flag : std::uint8_t {
  marked,
  implied,    // a directory without a row, known only from paths
  directory,  // its row, or a path through it, shows that it is a directory
  symlink,
  hard_link,   // points to the first name of its file
  has_record,  // CompactTree has a Directory for it, with entries below it
  rare,        // CompactTree keeps a Rare with its unusual values
};
inline constexpr std::size_t flag_count = 7;

/// The columns of 4096 entries. Arrays without an initialiser are set when an entry is added or its
/// row is stored.
struct EntryBlock {
  static constexpr std::uint32_t capacity = 4096;
  static constexpr std::uint32_t words = capacity / 64;
  using Words = std::array<std::uint64_t, words>;

  std::array<Words, flag_count> flags{};
  std::array<const char*, words> name_bases;  // where the names of each group of 64 entries begin
  std::array<std::uint16_t, capacity> name_offsets;
  std::array<DirectoryId, capacity> parents;
  std::array<std::uint32_t, capacity> file_indexes;
  std::array<std::uint16_t, capacity> jobs;
  std::array<std::uint16_t, capacity> stat_classes;
  // The size in bytes; for an entry with has_record its DirectoryId.
  std::array<std::uint32_t, capacity> payloads;
  std::array<std::uint32_t, capacity> mtimes_s;

  [[nodiscard]] Words& bits(Flag flag) { return flags[static_cast<std::size_t>(flag)]; }
  [[nodiscard]] const Words& bits(Flag flag) const { return flags[static_cast<std::size_t>(flag)]; }
};

/// Where an entry is stored: its block, and the index in it.
struct EntryPlace {
  EntryBlock* block;
  std::uint32_t at;
};

class EntryStore {
 public:
  /// Adds an entry. The name has at most `longest_name` bytes. Of the columns only the parent is
  /// set.
  EntryId add(DirectoryId parent, std::string_view name) {
    const EntryId id = size_;
    if (id % EntryBlock::capacity == 0) {
      blocks_.push_back(::new (region_.take(sizeof(EntryBlock))) EntryBlock);
    }
    const auto [block, at] = place(id);
    if (at % 64 == 0) block->name_bases[at / 64] = names_.begin_group();
    const char* const kept = names_.add(name);
    block->name_offsets[at] = static_cast<std::uint16_t>(kept - block->name_bases[at / 64]);
    block->parents[at] = parent;
    ++size_;
    return id;
  }

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] bool is_full() const { return size_ == no_id; }

  [[nodiscard]] EntryPlace place(EntryId id) const {
    return {blocks_[id / EntryBlock::capacity], id % EntryBlock::capacity};
  }
  [[nodiscard]] EntryBlock& block(std::size_t i) { return *blocks_[i]; }
  [[nodiscard]] const EntryBlock& block(std::size_t i) const { return *blocks_[i]; }
  [[nodiscard]] std::size_t block_count() const { return blocks_.size(); }

  [[nodiscard]] std::string_view name(EntryId id) const {
    const auto [block, at] = place(id);
    return NameArena::read(block->name_bases[at / 64] + block->name_offsets[at]);
  }
  [[nodiscard]] DirectoryId parent(EntryId id) const {
    const auto [block, at] = place(id);
    return block->parents[at];
  }

  [[nodiscard]] bool get(Flag flag, EntryId id) const {
    const auto [block, at] = place(id);
    return ((block->bits(flag)[at / 64] >> (at % 64)) & 1U) != 0;
  }
  void set(Flag flag, EntryId id, bool value) {
    const auto [block, at] = place(id);
    std::uint64_t& word = block->bits(flag)[at / 64];
    word = (word & ~(std::uint64_t{1} << (at % 64))) | (std::uint64_t{value} << (at % 64));
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return region_.memory_bytes() + blocks_.capacity() * sizeof(void*) + names_.memory_bytes();
  }

 private:
  MemoryRegion region_{};
  std::vector<EntryBlock*> blocks_{};  // in memory that region_ owns
  NameArena names_{};
  std::uint32_t size_{0};
};

}  // namespace assay::restore
