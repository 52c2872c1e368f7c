// Purpose: what a restore tree is: the concept that every implementation satisfies.
//
//   template <RestoreTree Tree>
//   void fill(Tree& tree) { ParsedRow row = ...; tree.insert(row); tree.mark("/home/*"); }
//
// The rules, which the tests check for every implementation:
//
//  * Rows come job by job, in the order in which the jobs are to be restored. A row of another
//    job replaces the entry; in the same job the row with the higher FileIndex wins, with hard
//    links the one with the lower (the first name has the data; the others only point to it).
//  * A directory that has no row but is part of a path is implied: listed, not counted, not
//    restored.
//  * A delta (DeltaSeq > 0) is rejected unless the entry is there with a DeltaSeq one lower. A
//    full copy replaces the whole chain of deltas.
//  * A file with a link count above 1 and no LinkFI is the first name of a hard link; a row
//    with LinkFI points to it by (JobId, LinkFI). Marking a link marks its first name too;
//    unmarking does not. Marking a link whose first name never came marks only the link.
//  * Marking a directory marks everything below it, as does marking a symbolic link with
//    entries below it; marking a file with entries below it (which was a directory before) does
//    not.
//  * An entry with something marked below it shows as '+'.
//
// Thread safety: none is required. Cost: restore_benchmarks.hpp measures it.
#pragma once

#include <assay/restore/rows/row.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::restore {

enum class Mark : char { none = ' ', below = '+', marked = '*' };

/// One line of a listing. Its views are valid until the sink returns.
struct ListedEntry {
  std::string_view name{};  // for find, the whole path
  Mark mark{Mark::none};
  bool has_children{false};
  std::size_t depth{0};  // levels below the listed directory
  FileStat stat{};       // set by `dir` only
};

using ListingSink = std::function<void(const ListedEntry&)>;

struct Counts {
  std::uint64_t entries{0};  // implied directories are not counted
  std::uint64_t marked{0};

  bool operator==(const Counts&) const = default;
};

struct Estimate {
  std::uint64_t entries{0};
  // Marked entries, and directories that are not marked but have something marked below them.
  std::uint64_t marked{0};
  std::uint64_t bytes{0};  // sum of the sizes of marked regular files

  bool operator==(const Estimate&) const = default;
};

/// FileIndexes of one job to restore, from first to last. A list of ranges is sorted and merged.
struct BootstrapRange {
  std::uint32_t job_id{0};
  std::uint32_t first{0};
  std::uint32_t last{0};

  bool operator==(const BootstrapRange&) const = default;
  auto operator<=>(const BootstrapRange&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// How many hard links are followed at most: a link leads to its first name, which may itself be a
/// link in a later job, and so on.
inline constexpr int longest_link_chain = 40;

template <class T>
concept RestoreTree = std::default_initializable<T> && std::movable<T> &&
    requires(T& tree, const T& view, const ParsedRow& row, std::string_view text,
             const ListingSink& sink) {
  { tree.insert(row) } -> std::same_as<RowFault>;

  // Mark and unmark entries by a pattern for paths, from the current directory or, with a leading
  // '/', from the root. They return how many entries are newly marked or unmarked.
  { tree.mark(text) } -> std::same_as<std::uint64_t>;
  { tree.unmark(text) } -> std::same_as<std::uint64_t>;
  // Mark and unmark subdirectories of the current directory by a pattern for names, without their
  // contents.
  { tree.mark_directory(text) } -> std::same_as<std::uint64_t>;
  { tree.unmark_directory(text) } -> std::same_as<std::uint64_t>;

  // Changes the current directory; false, and nothing changed, when there is no such directory.
  { tree.cd(text) } -> std::same_as<bool>;
  { view.pwd() } -> std::same_as<std::string>;

  // List entries whose names match a pattern, sorted by the bytes of the name. lsmark lists, at all
  // depths, marked entries and those with marked entries below; find lists the whole tree, in the
  // order in which entries arrived.
  {view.ls(text, sink)};
  {view.dir(text, sink)};
  {view.lsmark(text, sink)};
  {view.find(text, sink)};

  { view.count() } -> std::same_as<Counts>;
  { view.estimate() } -> std::same_as<Estimate>;
  { view.bootstrap() } -> std::same_as<std::vector<BootstrapRange>>;

  { view.memory_bytes() } -> std::same_as<std::size_t>;
};

}  // namespace assay::restore
