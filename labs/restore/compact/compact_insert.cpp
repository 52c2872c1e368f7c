// How a row becomes an entry of a compact tree.
#include <assay/restore/compact/compact_tree.hpp>

#include <assay/restore/rows/row_parser.hpp>

#include <algorithm>

namespace assay::restore {
namespace {

constexpr std::uint64_t too_large = std::numeric_limits<std::uint32_t>::max();

bool fits(std::int64_t number) {
  return static_cast<std::uint64_t>(number) < too_large;
}

}  // namespace

RowFault CompactTree::insert(const ParsedRow& row) {
  if (names_.entries().size() > no_id - longest_path) return RowFault::tree_full;
  if ((row.delta_seq | row.stat.link_file_index) != 0) {
    const RowFault fault = check_special(row);
    if (fault != RowFault::none) return fault;
  }
  std::uint16_t job = 0;
  RowFault fault = find_job(row.job_id, job);
  if (fault != RowFault::none) return fault;
  Namespace::Added added{};
  fault = find_or_add(row, added);
  if (fault != RowFault::none) return fault;
  if (added.is_new || !is_superseded(added.id, row)) keep(added.id, job, row);
  return RowFault::none;
}

// ---- rows that may be rejected for what the tree holds -------------------------------------

RowFault CompactTree::check_special(const ParsedRow& row) {
  RowFault fault = check_path(row.path);
  if (fault != RowFault::none) return fault;
  const EntryId known = look_up(row);
  if (known != no_id && is_superseded(known, row)) return RowFault::none;
  if (row.delta_seq > 0) fault = check_delta(known, row);
  if (fault == RowFault::none && row.is_link()) {
    fault = check_link(known, row);
  }
  return fault;
}

EntryId CompactTree::look_up(const ParsedRow& row) {
  std::string_view path = row.path;
  std::string_view name = row.name;
  if (row.is_directory()) {  // looked up by name, because it may be a file in the tree
    path.remove_suffix(1);
    const std::size_t slash = path.rfind('/');
    name = path.substr(slash == path.npos ? 0 : slash + 1);
    path.remove_suffix(name.size());
  }
  const DirectoryId directory = cursor_.look_up(names_, path);
  return directory == no_id ? no_id : names_.find_fast(directory, name);
}

RowFault CompactTree::check_delta(EntryId known, const ParsedRow& row) const {
  if (known == no_id || names_.entries().get(Flag::implied, known)) {
    return RowFault::delta_without_predecessor;
  }
  const Rare* kept = rare(known);
  const std::uint32_t present = kept == nullptr ? 0 : kept->delta_seq;
  return row.delta_seq == present + 1 ? RowFault::none : RowFault::delta_out_of_sequence;
}

RowFault CompactTree::check_link(EntryId known, const ParsedRow& row) {
  const EntryId target = links_.target(row.job_id, row.stat.link_file_index);
  if (target == no_id) {
    const bool kept = links_.add_unresolved(row.job_id, row.file_index, row.stat.link_file_index);
    return kept ? RowFault::none : RowFault::hard_link_cycle;
  }
  return leads_to(target, known) ? RowFault::hard_link_cycle : RowFault::none;
}

/// Whether following hard links from `from` reaches `wanted`, or takes too many steps.
bool CompactTree::leads_to(EntryId from, EntryId wanted) const {
  for (int steps = 0; steps < longest_link_chain; ++steps) {
    if (from == wanted) return true;
    from = link_target(from);
    if (from == no_id) return false;
  }
  return true;
}

// ---- finding or adding its entry -----------------------------------------------------------

RowFault CompactTree::find_or_add(const ParsedRow& row, Namespace::Added& added) {
  DirectoryId directory = no_id;
  const RowFault fault = cursor_.enter(names_, row.path, directory);
  if (fault != RowFault::none) return fault;
  if (row.is_directory() && directory != Namespace::root) {
    added = {names_.directory(directory).entry, false};
  } else {
    added = names_.find_or_add(directory, row.name);
  }
  return RowFault::none;
}

bool CompactTree::is_superseded(EntryId known, const ParsedRow& row) const {
  if (names_.entries().get(Flag::implied, known) || job_id(known) != row.job_id) return false;
  return row.is_link() ? row.file_index > file_index(known) : row.file_index < file_index(known);
}

RowFault CompactTree::find_job(std::uint32_t job_id, std::uint16_t& job) {
  if (job_ids_[last_job_] != job_id) {
    const auto known = std::find(job_ids_.begin() + 1, job_ids_.end(), job_id);
    const auto at = static_cast<std::size_t>(known - job_ids_.begin());
    if (at >= std::numeric_limits<std::uint16_t>::max()) return RowFault::too_many_jobs;
    if (known == job_ids_.end()) job_ids_.push_back(job_id);
    last_job_ = static_cast<std::uint16_t>(at);
  }
  job = last_job_;
  return RowFault::none;
}

// ---- what is kept --------------------------------------------------------------------------

void CompactTree::keep(EntryId id, std::uint16_t job, const ParsedRow& row) {
  const auto [block, at] = names_.entries().place(id);
  const bool was_rare = names_.entries().get(Flag::rare, id);
  const std::uint16_t stat_class = stat_classes_.intern(row.stat);
  const bool is_rare = stat_class == StatClasses::full || !fits(row.stat.size_bytes) ||
                       !fits(row.stat.mtime_s) || (row.fhinfo | row.fhnode) != 0 ||
                       row.delta_seq != 0;
  if (is_rare) keep_rare(id, row);  // first, because it reads the entry's old file index and job
  if (was_rare && !is_rare) rare_.erase(id);
  names_.entries().set(Flag::rare, id, is_rare);
  block->stat_classes[at] = stat_class;
  block->mtimes_s[at] = static_cast<std::uint32_t>(row.stat.mtime_s);
  block->file_indexes[at] = row.file_index;
  block->jobs[at] = job;
  const auto size = static_cast<std::uint32_t>(row.stat.size_bytes);
  const DirectoryId record = names_.record_of(id);
  (record == no_id ? block->payloads[at] : names_.directory(record).size_bytes) = size;
  keep_flags(id, row);
  if (row.stat.link_count > 1 || row.stat.link_file_index != 0) keep_link(id, row);
}

void CompactTree::keep_flags(EntryId id, const ParsedRow& row) {
  const auto [block, at] = names_.entries().place(id);
  const std::uint32_t word = at / 64;
  const std::uint64_t bit = std::uint64_t{1} << (at % 64);
  const auto assign = [&, b = block](Flag flag, bool value) {
    std::uint64_t& bits = b->bits(flag)[word];
    bits = value ? bits | bit : bits & ~bit;
  };
  assign(Flag::implied, false);
  assign(Flag::directory, row.is_directory());
  assign(Flag::symlink, is_symlink(row.stat.mode));
  assign(Flag::hard_link, row.is_link());
}

void CompactTree::keep_rare(EntryId id, const ParsedRow& row) {
  Rare kept;
  if (row.delta_seq > 0) {
    if (const Rare* before = rare(id)) kept.delta_parts = before->delta_parts;
    kept.delta_parts.push_back({job_id(id), file_index(id)});
  }
  kept.stat = row.stat;
  kept.stat.link_file_index = 0;
  kept.fhinfo = row.fhinfo;
  kept.fhnode = row.fhnode;
  kept.delta_seq = row.delta_seq;
  rare_[id] = std::move(kept);
}

void CompactTree::keep_link(EntryId id, const ParsedRow& row) {
  if (row.is_directory()) return;
  if (row.stat.link_file_index == 0) {
    links_.add(row.job_id, row.file_index, id);
    return;
  }
  const EntryId target = links_.target(row.job_id, row.stat.link_file_index);
  if (target != no_id) links_.add(row.job_id, row.file_index, target);
}

}  // namespace assay::restore
