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

#include <assay/restore/compact/child_table.hpp>

#include <cstdint>
#include <string_view>

namespace assay::restore {

/// Recognises that the names of a directory arrive sorted; then the next in order must be new, and
/// no table is needed to find that out. It costs one comparison of two names.
///
///   ArrivalOrder order;
///   order.follow("file9", "file10");    // true: by length, then by bytes
///   order.follow("file10", "file0");    // false, and as if it had not been asked
class ArrivalOrder {
 public:
  /// Whether `name` comes after `last` in some order (by bytes or by length, up or down) that all
  /// names so far followed.
  bool follow(std::string_view last, std::string_view name) {
    const int by_bytes = name.compare(last);
    const int by_length = name.size() == last.size()  ? by_bytes
                          : name.size() > last.size() ? 1
                                                      : -1;
    const unsigned now = (by_bytes > 0 ? bytes_up : 0U) | (by_bytes < 0 ? bytes_down : 0U) |
                         (by_length > 0 ? length_up : 0U) | (by_length < 0 ? length_down : 0U);
    const unsigned still = orders_ & now;
    if (still != 0) orders_ = static_cast<std::uint8_t>(still);
    return still != 0;
  }

 private:
  static constexpr unsigned bytes_up = 1;
  static constexpr unsigned bytes_down = 2;
  static constexpr unsigned length_up = 4;
  static constexpr unsigned length_down = 8;

  std::uint8_t orders_{bytes_up | bytes_down | length_up | length_down};
};

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
