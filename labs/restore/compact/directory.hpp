// Purpose: what a compact tree keeps of a directory: which entries are in it.
//
//   Directory directory;
//   directory.append(id);
//   for (const IdRun& run : directory.runs) ...
//
// Entries that arrived one after the other form a run, so a directory whose files arrived together
// has one run, however many files there are. Thread safety: one thread. Cost: about 72 bytes, and a
// table of names where more than 8 entries came in no order.
#pragma once

#include <assay/restore/compact/arrival_order.hpp>
#include <assay/restore/compact/child_table.hpp>

namespace assay::restore {

struct IdRun {
  EntryId first;
  std::uint32_t length;
};

struct Directory {
  DirectoryId parent{no_id};
  EntryId entry{no_id};            // no_id: this is the root
  DirectoryId first_below{no_id};  // the directories in it are linked by next_sibling
  DirectoryId next_sibling{no_id};
  std::uint32_t child_count{0};
  std::uint32_t marked_below{0};  // marked entries below it, at any depth
  std::uint32_t size_bytes{0};    // the entry's size: its own place holds this directory's id
  bool is_drive{false};           // the first component of a path without a leading '/': "C:"
  ArrivalOrder order{};           // of the names so far, except for out_of_order of them
  std::uint8_t out_of_order{0};
  EntryId last_in_order{no_id};
  ChildTable table{};  // made once more than few_children entries came in no order
  std::vector<IdRun> runs{};

  static constexpr std::uint32_t few_children = 8;
  /// For each name out of order all names are compared. More than 0, as a directory with files in
  /// order and one directory among them is common.
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
