// What a compact tree answers: listings, counts, what to restore.
#include <assay/restore/compact/compact_tree.hpp>

#include <assay/restore/compact/sorted_by_name.hpp>
#include <assay/restore/tree/bootstrap.hpp>

#include <bit>

namespace assay::restore {
namespace {

/// Calls visit(id) for each entry whose bit is set in combine(block, word), in the order of
/// entries.
template <class Combine, class Visit>
void for_each_bit(const EntryStore& entries, Combine combine, Visit visit) {
  for (std::size_t i = 0; i < entries.block_count(); ++i) {
    const EntryBlock& block = entries.block(i);
    for (std::uint32_t word = 0; word < EntryBlock::words; ++word) {
      for (std::uint64_t bits = combine(block, word); bits != 0; bits &= bits - 1) {
        const auto at = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
        visit(static_cast<EntryId>(i * EntryBlock::capacity + at));
      }
    }
  }
}

std::uint64_t explicit_flag_bits(const EntryBlock& block, std::uint32_t word, Flag flag) {
  return block.bits(flag)[word] & ~block.bits(Flag::implied)[word];
}

}  // namespace

// ---- one entry -----------------------------------------------------------------------------

std::uint32_t CompactTree::job_id(EntryId id) const {
  const auto [block, at] = names_.entries().place(id);
  return job_ids_[block->jobs[at]];
}

std::uint32_t CompactTree::file_index(EntryId id) const {
  const auto [block, at] = names_.entries().place(id);
  return block->file_indexes[at];
}

const CompactTree::Rare* CompactTree::rare(EntryId id) const {
  if (!names_.entries().get(Flag::rare, id)) return nullptr;
  const auto found = rare_.find(id);
  return found == rare_.end() ? nullptr : &found->second;
}

FileStat CompactTree::stat(EntryId id) const {
  if (names_.entries().get(Flag::implied, id)) return {};
  if (const Rare* kept = rare(id)) return kept->stat;
  const auto [block, at] = names_.entries().place(id);
  const DirectoryId record = names_.record_of(id);
  FileStat stat;
  stat_classes_.restore(block->stat_classes[at], stat);
  stat.size_bytes = record == no_id ? block->payloads[at] : names_.directory(record).size_bytes;
  stat.mtime_s = block->mtimes_s[at];
  return stat;
}

EntryId CompactTree::link_target(EntryId id) const {
  const EntryStore& entries = names_.entries();
  if (!entries.get(Flag::hard_link, id)) return no_id;
  const EntryId target = links_.target(job_id(id), file_index(id));
  const bool leads_somewhere =
      target != no_id && target != id && !entries.get(Flag::directory, target);
  return leads_somewhere ? target : no_id;
}

Mark CompactTree::mark_of(EntryId id) const {
  if (names_.entries().get(Flag::marked, id)) return Mark::marked;
  const DirectoryId record = names_.record_of(id);
  const bool below = record != no_id && names_.directory(record).marked_below > 0;
  return below ? Mark::below : Mark::none;
}

ListedEntry CompactTree::listed(EntryId id) const {
  ListedEntry entry;
  entry.name = names_.entries().name(id);
  entry.mark = mark_of(id);
  entry.has_children = names_.has_children(id);
  return entry;
}

// ---- directories ---------------------------------------------------------------------------

std::vector<EntryId> CompactTree::sorted_children(DirectoryId id, const Glob& glob) const {
  SortedByName<EntryId> sorted;
  if (glob.matches_all()) sorted.reserve(names_.directory(id).child_count);
  names_.directory(id).for_each_child([&](EntryId child) {
    const std::string_view name = names_.entries().name(child);
    if (glob.matches(name)) sorted.add(name, child);
  });
  return std::move(sorted).values();
}

void CompactTree::ls(std::string_view pattern, const ListingSink& sink) const {
  for (const EntryId id : sorted_children(current_, Glob(pattern))) sink(listed(id));
}

void CompactTree::dir(std::string_view pattern, const ListingSink& sink) const {
  for (const EntryId id : sorted_children(current_, Glob(pattern))) {
    ListedEntry entry = listed(id);
    entry.stat = stat(id);
    sink(entry);
  }
}

void CompactTree::lsmark(std::string_view pattern, const ListingSink& sink) const {
  struct Level {
    std::vector<EntryId> children;
    std::size_t next;
  };
  const Glob glob(pattern);
  std::vector<Level> levels;
  levels.push_back({sorted_children(current_, glob), 0});
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.next == level.children.size()) {
      levels.pop_back();
      continue;
    }
    const EntryId id = level.children[level.next++];
    ListedEntry entry = listed(id);
    if (entry.mark == Mark::none) continue;
    entry.depth = levels.size() - 1;
    sink(entry);
    const DirectoryId record = names_.record_of(id);
    const bool any_below = record != no_id && names_.directory(record).marked_below > 0;
    if (any_below) levels.push_back({sorted_children(record, glob), 0});
  }
}

void CompactTree::find(std::string_view pattern, const ListingSink& sink) const {
  const Glob glob(pattern);
  const EntryStore& entries = names_.entries();
  DirectoryId parent = no_id;
  std::size_t parent_length = 0;
  std::string path;
  for (EntryId id = 0; id < entries.size(); ++id) {
    const std::string_view name = entries.name(id);
    if (!glob.matches(name)) continue;
    ListedEntry entry = listed(id);
    if (entries.get(Flag::has_record, id) || name.empty()) {
      const std::string whole = names_.path_of(id);
      entry.name = whole;
      sink(entry);
      continue;
    }
    if (entries.parent(id) != parent) {  // mostly false: entries of a directory tend to be adjacent
      parent = entries.parent(id);
      path = names_.path_of_directory(parent);
      parent_length = path.size();
    }
    path.resize(parent_length);
    path += name;
    entry.name = path;
    sink(entry);
  }
}

// ---- the current directory -----------------------------------------------------------------

/// The entry with exactly this name; else the first, in order of names, that `part` as a pattern
/// matches.
EntryId CompactTree::child_for_cd(DirectoryId id, std::string_view part) const {
  const EntryId exact = names_.find(id, part);
  if (exact != no_id) return exact;
  for (const EntryId child : sorted_children(id, Glob(part))) {
    if (!names_.entries().name(child).empty()) return child;  // skips the root's own row
  }
  return no_id;
}

bool CompactTree::cd(std::string_view path) {
  DirectoryId at = path.starts_with('/') ? Namespace::root : current_;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(part.size() + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      at = at == Namespace::root ? at : names_.directory(at).parent;
      continue;
    }
    const EntryId child = child_for_cd(at, part);
    if (child == no_id) return false;
    if (!names_.entries().get(Flag::directory, child) && !names_.has_children(child)) return false;
    at = names_.record_of(child);
    if (at == no_id) return false;
  }
  current_ = at;
  return true;
}

// ---- the whole tree ------------------------------------------------------------------------

Counts CompactTree::count() const {
  const EntryStore& entries = names_.entries();
  std::uint64_t implied = 0;
  Counts counts;
  for (std::size_t i = 0; i < entries.block_count(); ++i) {
    const EntryBlock& block = entries.block(i);
    for (std::uint32_t word = 0; word < EntryBlock::words; ++word) {
      implied += static_cast<unsigned>(std::popcount(block.bits(Flag::implied)[word]));
      counts.marked +=
          static_cast<unsigned>(std::popcount(explicit_flag_bits(block, word, Flag::marked)));
    }
  }
  counts.entries = entries.size() - implied;
  return counts;
}

std::uint64_t CompactTree::size_if_regular(EntryId id) const {
  const auto [block, at] = names_.entries().place(id);
  std::int64_t size_bytes = block->payloads[at];
  std::uint32_t mode = 0;
  if (names_.entries().get(Flag::rare, id) || names_.entries().get(Flag::has_record, id)) {
    const FileStat kept = stat(id);
    mode = kept.mode;
    size_bytes = kept.size_bytes;
  } else {
    mode = stat_classes_.mode(block->stat_classes[at]);
  }
  return is_regular(mode) && size_bytes > 0 ? static_cast<std::uint64_t>(size_bytes) : 0;
}

Estimate CompactTree::estimate() const {
  const Counts counts = count();
  Estimate estimate{counts.entries, counts.marked, 0};
  for_each_bit(
      names_.entries(),
      [](const EntryBlock& block, std::uint32_t word) {
        return explicit_flag_bits(block, word, Flag::marked) & ~block.bits(Flag::directory)[word];
      },
      [&](EntryId id) { estimate.bytes += size_if_regular(id); });
  for (DirectoryId id = 1; id < names_.directory_count(); ++id) {
    const EntryId entry = names_.directory(id).entry;
    const bool counts_too =
        mark_of(entry) == Mark::below && !names_.entries().get(Flag::implied, entry);
    estimate.marked += counts_too ? 1 : 0;
  }
  return estimate;
}

std::vector<BootstrapRange> CompactTree::bootstrap() const {
  BootstrapList list;
  for_each_bit(
      names_.entries(),
      [](const EntryBlock& block, std::uint32_t word) {
        return explicit_flag_bits(block, word, Flag::marked);
      },
      [&](EntryId id) {
        if (const Rare* kept = rare(id)) {
          for (const JobFile& part : kept->delta_parts) list.add(part.job_id, part.file_index);
        }
        list.add(job_id(id), file_index(id));
      });
  return std::move(list).finish();
}

std::size_t CompactTree::memory_bytes() const {
  std::size_t bytes = names_.memory_bytes() + links_.memory_bytes() + stat_classes_.memory_bytes() +
                      job_ids_.capacity() * sizeof(job_ids_[0]);
  // Bytes for the links, the hash and malloc's overhead of a std::unordered_map node.
  constexpr std::size_t node_overhead = 32;
  bytes += rare_.bucket_count() * sizeof(void*) + rare_.size() * (sizeof(Rare) + node_overhead);
  for (const auto& [id, kept] : rare_) bytes += kept.delta_parts.capacity() * sizeof(JobFile);
  return bytes;
}

}  // namespace assay::restore
