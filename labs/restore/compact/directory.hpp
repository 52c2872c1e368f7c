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
  EntryId entry{no_id};            // no_id for the root
  DirectoryId first_below{no_id};  // its first subdirectory; the others follow by next_sibling
  DirectoryId next_sibling{no_id};
  std::uint32_t child_count{0};
  std::uint32_t marked_below{0};  // number of marked entries below, at any depth
  // Size in bytes of the directory's own entry, whose column holds this directory's id instead.
  std::uint32_t size_bytes{0};
  // The first component of a path without a leading '/', such as "C:".
  bool is_drive{false};
  // The order in which all names but out_of_order of them arrived.
  ArrivalOrder order{};
  std::uint8_t out_of_order{0};
  EntryId last_in_order{no_id};
  // Used once there are more than few_children entries and too many came out of order.
  ChildTable table{};
  std::vector<IdRun> runs{};

  static constexpr std::uint32_t few_children = 8;
  /// A name out of order is compared with all names of the directory, so only this many are
  /// accepted before a table is made. Not 0, because one subdirectory among sorted files is common.
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
