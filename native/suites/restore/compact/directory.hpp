// Purpose: what a compact tree keeps of a directory: which entries are in it.
//
//   Directory directory;
//   directory.append(id);
//   for (const IdRun& run : directory.runs) ...
//
// Entries that came one after the other are a run, so a directory whose files came together
// costs one run, however many they are.
// Thread safety: one thread. Cost: about 72 bytes, a name table beyond 8 entries.
#pragma once

#include <assay/suites/restore/compact/arrival_order.hpp>
#include <assay/suites/restore/compact/child_table.hpp>

namespace assay::restore {

struct IdRun {
  EntryId first;
  std::uint32_t length;
};

struct Directory {
  DirectoryId parent{no_id};
  EntryId entry{no_id};            // none: the root
  DirectoryId first_below{no_id};  // a chain of the directories in it
  DirectoryId next_sibling{no_id};
  std::uint32_t child_count{0};
  std::uint32_t marked_below{0};  // entries, however deep
  std::uint32_t size_bytes{0};    // its entry's, whose place holds our number instead
  bool is_drive{false};           // at the top, of a path without a leading '/': "C:"
  ArrivalOrder order{};           // of the names so far, but few
  std::uint8_t out_of_order{0};   // those
  EntryId last_in_order{no_id};
  ChildTable table{};  // of more than few_children that came in no order
  std::vector<IdRun> runs{};

  static constexpr std::uint32_t few_children = 8;
  /// For each, all names are looked through once. A directory with files in order and one
  /// directory in it is common.
  static constexpr std::uint8_t most_out_of_order = 2;

  void append(EntryId id) {
    ++child_count;
    if (!runs.empty() && runs.back().first + runs.back().length == id) {
      ++runs.back().length;
    } else {
      runs.push_back({id, 1});
    }
  }

  template <class Visit>
  void for_each_child(Visit visit) const {
    for (const IdRun& run : runs) {
      for (std::uint32_t i = 0; i < run.length; ++i) visit(run.first + i);
    }
  }

  [[nodiscard]] std::size_t memory_bytes() const {
    return table.memory_bytes() + runs.capacity() * sizeof(IdRun);
  }
};

}  // namespace assay::restore
