// Purpose: a restore tree for a hundred million files.
//
//   assay::restore::CompactTree tree;
//   tree.insert(row);
//   tree.mark("/home/**/*.txt");
//   const auto ranges = tree.bootstrap();
//
// It follows the rules of restore_tree.hpp. docs/guides/restore-suite.md says what it costs, and
// why. Thread safety: one thread. Cost: 23 bytes a file, the bytes of its name and one more, and 6
// to 11 for finding it by name where names came in no order; marking is a loop over bits.
// `./dev bench restore_scaling` measures times.
#pragma once

#include <assay/restore/compact/hard_links.hpp>
#include <assay/restore/compact/path_cursor.hpp>
#include <assay/restore/compact/stat_classes.hpp>
#include <assay/restore/tree/glob.hpp>
#include <assay/restore/tree/restore_tree.hpp>

#include <unordered_map>

namespace assay::restore {

class CompactTree {
 public:
  RowFault insert(const ParsedRow& row);
  /// Prefetches what inserting this row, which may come soon, is likely to read.
  void expect(const ParsedRow& row) const { names_.expect(cursor_.last(), row.name); }

  std::uint64_t mark(std::string_view pattern);
  std::uint64_t unmark(std::string_view pattern);
  std::uint64_t mark_directory(std::string_view pattern);
  std::uint64_t unmark_directory(std::string_view pattern);

  bool cd(std::string_view path);
  [[nodiscard]] std::string pwd() const { return names_.path_of_directory(current_); }

  void ls(std::string_view pattern, const ListingSink& sink) const;
  void dir(std::string_view pattern, const ListingSink& sink) const;
  void lsmark(std::string_view pattern, const ListingSink& sink) const;
  void find(std::string_view pattern, const ListingSink& sink) const;

  [[nodiscard]] Counts count() const;
  [[nodiscard]] Estimate estimate() const;
  [[nodiscard]] std::vector<BootstrapRange> bootstrap() const;

  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  struct JobFile {
    std::uint32_t job_id;
    std::uint32_t file_index;
  };
  /// An entry's values that few entries have, or that do not fit into the columns of EntryBlock.
  struct Rare {
    FileStat stat{};
    std::uint64_t fhinfo{0};
    std::uint64_t fhnode{0};
    std::uint32_t delta_seq{0};
    std::vector<JobFile> delta_parts{};
  };
  /// How many entries were newly marked or unmarked: `all`, and `counted` without implied
  /// directories.
  struct Change {
    std::uint64_t all{0};
    std::uint64_t counted{0};
    Change& operator+=(const Change& other) {
      all += other.all;
      counted += other.counted;
      return *this;
    }
  };
  enum class To : bool { unmarked, marked };
  struct Place {
    DirectoryId directory;
    std::size_t part;  // index of the first component of the pattern that is not matched yet
  };

  // ---- inserting ----------------------------------------------------------------------
  [[nodiscard]] EntryId look_up(const ParsedRow& row);
  RowFault check_special(const ParsedRow& row);
  [[nodiscard]] RowFault check_delta(EntryId known, const ParsedRow& row) const;
  RowFault check_link(EntryId known, const ParsedRow& row);
  [[nodiscard]] bool leads_to(EntryId from, EntryId wanted) const;
  RowFault find_or_add(const ParsedRow& row, Namespace::Added& added);
  [[nodiscard]] bool is_superseded(EntryId known, const ParsedRow& row) const;
  RowFault find_job(std::uint32_t job_id, std::uint16_t& job);
  void keep(EntryId id, std::uint16_t job, const ParsedRow& row);
  void keep_flags(EntryId id, const ParsedRow& row);
  void keep_rare(EntryId id, const ParsedRow& row);
  void keep_link(EntryId id, const ParsedRow& row);

  // ---- marking ------------------------------------------------------------------------
  std::uint64_t change(std::string_view pattern, To to);
  std::uint64_t change_directories(std::string_view pattern, To to);
  [[nodiscard]] Place starting_place(const PathPattern& pattern) const;
  void add_matching_directories(const PathPattern& pattern, Place at,
                                std::vector<Place>& places) const;
  Change change_children(DirectoryId id, const Glob& glob, To to);
  Change change_entry(EntryId id, To to);
  Change change_below(DirectoryId id, To to);
  Change change_runs(const Directory& directory, To to);
  Change mark_link_targets(EntryId id);
  Change mark_link_targets_of(EntryId first, std::uint64_t links);
  void add_to_ancestors(DirectoryId from, std::uint64_t changed, To to);

  // ---- reading ------------------------------------------------------------------------
  [[nodiscard]] std::uint32_t job_id(EntryId id) const;
  [[nodiscard]] std::uint32_t file_index(EntryId id) const;
  /// Whether marking the entry also marks what is below it.
  [[nodiscard]] bool descends(EntryId id) const {
    const EntryStore& entries = names_.entries();
    return entries.get(Flag::directory, id) ||
           (entries.get(Flag::symlink, id) && names_.has_children(id));
  }
  [[nodiscard]] const Rare* rare(EntryId id) const;
  [[nodiscard]] FileStat stat(EntryId id) const;
  [[nodiscard]] std::uint64_t size_if_regular(EntryId id) const;
  [[nodiscard]] EntryId link_target(EntryId id) const;
  [[nodiscard]] Mark mark_of(EntryId id) const;
  [[nodiscard]] std::vector<EntryId> sorted_children(DirectoryId id, const Glob& glob) const;
  [[nodiscard]] EntryId child_for_cd(DirectoryId id, std::string_view part) const;
  [[nodiscard]] ListedEntry listed(EntryId id) const;

  Namespace names_{};
  PathCursor cursor_{};
  HardLinks links_{};
  StatClasses stat_classes_{};
  std::vector<std::uint32_t> job_ids_{0};  // job number 0 means no job
  std::uint16_t last_job_{0};
  std::unordered_map<EntryId, Rare> rare_{};
  DirectoryId current_{Namespace::root};
};

}  // namespace assay::restore
