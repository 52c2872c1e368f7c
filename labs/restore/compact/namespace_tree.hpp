// Purpose: the names of a compact tree: entries in directories, and paths.
//
//   Namespace names;
//   const EntryId id = names.find_or_add(names.root(), "etc");
//   names.path_of(id);   // "/etc"
//
// Thread safety: one thread. Cost: one comparison for a name that comes in order, else a search
// in a table.
#pragma once

#include <assay/restore/compact/directory.hpp>
#include <assay/restore/rows/words.hpp>

#include <string>

namespace assay::restore {

class Namespace {
 public:
  static constexpr DirectoryId root = 0;

  Namespace() : directories_(1) {}

  [[nodiscard]] EntryStore& entries() { return entries_; }
  [[nodiscard]] const EntryStore& entries() const { return entries_; }
  [[nodiscard]] Directory& directory(DirectoryId id) { return directories_[id]; }
  [[nodiscard]] const Directory& directory(DirectoryId id) const { return directories_[id]; }
  [[nodiscard]] std::size_t directory_count() const { return directories_.size(); }

  /// The entry of that name, or no_id. In a directory without a table it compares the names one by
  /// one, which is too slow for every row.
  [[nodiscard]] EntryId find(DirectoryId parent, std::string_view name) const;
  /// The entry of that name, or no_id. Makes a table first in a directory that has many entries and
  /// none.
  EntryId find_fast(DirectoryId parent, std::string_view name);

  struct Added {
    EntryId id;
    bool is_new;
  };
  /// Finds or adds a name. A new entry has only its name and parent set.
  Added find_or_add(DirectoryId parent, std::string_view name);
  /// Prefetches this name's place in the table, because it may be looked up soon.
  void expect(DirectoryId parent, std::string_view name) const {
    const ChildTable& table = directories_[parent].table;
    if (table.capacity() != 0) table.prefetch(hash_name(name));
  }

  /// The id of the Directory of an entry that has entries below it, or no_id.
  [[nodiscard]] DirectoryId record_of(EntryId id) const {
    const auto [block, at] = entries_.place(id);
    return entries_.get(Flag::has_record, id) ? block->payloads[at] : no_id;
  }
  DirectoryId make_record(EntryId id);

  [[nodiscard]] bool has_children(EntryId id) const {
    const DirectoryId record = record_of(id);
    return record != no_id && directories_[record].child_count > 0;
  }

  /// The path from the root. It ends in '/' for a directory, or anything else with entries below.
  [[nodiscard]] std::string path_of(EntryId id) const;
  [[nodiscard]] std::string path_of_directory(DirectoryId id) const;

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  [[nodiscard]] EntryId find_one_by_one(const Directory& parent, std::string_view name) const;
  [[nodiscard]] ChildTable::Found find_in_table(const Directory& parent, std::uint64_t hash,
                                                std::string_view name) const;
  EntryId append(DirectoryId parent, std::string_view name);
  bool is_next_in_order(Directory& parent, std::string_view name) const;
  static bool is_small_or_in_order(Directory& parent);
  static bool wants_table(const Directory& parent);
  void grow_table(Directory& parent);

  EntryStore entries_{};
  std::vector<Directory> directories_;
};

}  // namespace assay::restore
