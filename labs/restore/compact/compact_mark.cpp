// Marking and unmarking in a compact tree.
//
// Every directory counts the marked entries below it, so updating whether an ancestor shows '+'
// takes one addition, however many entries are in it. (Bareos looks through all children of the
// ancestor again for each entry that is unmarked, so that unmarking takes quadratic time.)
#include <assay/restore/compact/compact_tree.hpp>

#include <algorithm>
#include <bit>
#include <set>

namespace assay::restore {

std::uint64_t CompactTree::mark(std::string_view pattern) {
  return change(pattern, To::marked);
}

std::uint64_t CompactTree::unmark(std::string_view pattern) {
  return change(pattern, To::unmarked);
}

std::uint64_t CompactTree::mark_directory(std::string_view pattern) {
  return change_directories(pattern, To::marked);
}

std::uint64_t CompactTree::unmark_directory(std::string_view pattern) {
  return change_directories(pattern, To::unmarked);
}

// ---- patterns ------------------------------------------------------------------------------

std::uint64_t CompactTree::change(std::string_view text, To to) {
  const PathPattern pattern(text);
  std::vector<Place> places{starting_place(pattern)};
  // With one `**` no directory is visited twice; with two or more that happens often.
  const bool may_meet_again = pattern.any_depth_count() > 1;
  std::set<std::pair<DirectoryId, std::size_t>> met;
  Change changed;
  while (!places.empty()) {
    const Place at = places.back();
    places.pop_back();
    if (may_meet_again && !met.emplace(at.directory, at.part).second) continue;
    if (at.part + 1 == pattern.size()) {
      changed += change_children(at.directory, pattern.part(at.part), to);
    } else {
      add_matching_directories(pattern, at, places);
    }
  }
  return changed.counted;
}

/// Where matching starts: the root or the current directory; for a path that begins with the name
/// of a drive ("C:/..."), that drive.
CompactTree::Place CompactTree::starting_place(const PathPattern& pattern) const {
  if (pattern.is_absolute()) return {Namespace::root, 0};
  const std::string& first = pattern.part(0).text();
  if (pattern.size() > 1 && first.size() == 2 && first[1] == ':') {
    const EntryId entry = names_.find(Namespace::root, first);
    const DirectoryId record = entry == no_id ? no_id : names_.record_of(entry);
    if (record != no_id && names_.directory(record).is_drive) return {record, 1};
  }
  return {current_, 0};
}

/// Adds to `places` the directories that match the pattern's component at.part, which is not the
/// last one.
void CompactTree::add_matching_directories(const PathPattern& pattern, Place at,
                                           std::vector<Place>& places) const {
  const Glob& glob = pattern.part(at.part);
  const bool any_depth = pattern.is_any_depth(at.part);
  const auto visit = [&](DirectoryId below) {
    const EntryId entry = names_.directory(below).entry;
    if (!names_.entries().get(Flag::directory, entry)) return;
    if (any_depth) {
      places.push_back({below, at.part});
    } else if (glob.matches(names_.entries().name(entry))) {
      places.push_back({below, at.part + 1});
    }
  };
  if (any_depth) places.push_back({at.directory, at.part + 1});
  if (glob.is_literal()) {
    const EntryId entry = names_.find(at.directory, glob.text());
    const DirectoryId record = entry == no_id ? no_id : names_.record_of(entry);
    if (record != no_id) visit(record);
    return;
  }
  for (DirectoryId below = names_.directory(at.directory).first_below; below != no_id;
       below = names_.directory(below).next_sibling) {
    visit(below);
  }
}

std::uint64_t CompactTree::change_directories(std::string_view pattern, To to) {
  if (pattern.ends_with('/')) pattern.remove_suffix(1);
  const Glob glob(pattern);
  EntryStore& entries = names_.entries();
  std::uint64_t changed = 0;
  names_.directory(current_).for_each_child([&](EntryId id) {
    const bool is_marked = entries.get(Flag::marked, id);
    if (!entries.get(Flag::directory, id) || entries.get(Flag::implied, id) ||
        is_marked == (to == To::marked) || !glob.matches(entries.name(id))) {
      return;
    }
    entries.set(Flag::marked, id, to == To::marked);
    ++changed;
  });
  add_to_ancestors(current_, changed, to);
  return changed;
}

// ---- entries -------------------------------------------------------------------------------

/// Marks or unmarks the matching entries of a directory, with everything below them.
CompactTree::Change CompactTree::change_children(DirectoryId id, const Glob& glob, To to) {
  Change changed;
  if (glob.matches_all()) {
    changed = change_below(id, to);
    const DirectoryId parent = names_.directory(id).parent;
    if (parent != no_id) add_to_ancestors(parent, changed.all, to);
    return changed;
  }
  if (glob.is_literal()) {
    const EntryId entry = names_.find_fast(id, glob.text());
    if (entry != no_id) changed = change_entry(entry, to);
  } else {
    for (std::size_t run = 0; run < names_.directory(id).runs.size(); ++run) {
      const auto [first, length] = names_.directory(id).runs[run];
      for (EntryId entry = first; entry < first + length; ++entry) {
        if (glob.matches(names_.entries().name(entry))) changed += change_entry(entry, to);
      }
    }
  }
  add_to_ancestors(id, changed.all, to);
  return changed;
}

/// Marks or unmarks one entry with everything below it. The caller updates the counts of its
/// ancestors.
CompactTree::Change CompactTree::change_entry(EntryId id, To to) {
  EntryStore& entries = names_.entries();
  Change changed;
  if (entries.get(Flag::marked, id) != (to == To::marked)) {
    entries.set(Flag::marked, id, to == To::marked);
    changed.all = 1;
    changed.counted = entries.get(Flag::implied, id) ? 0 : 1;
  }
  const DirectoryId record = names_.record_of(id);
  if (descends(id)) {
    // The root's own row has no Directory.
    if (record != no_id) changed += change_below(record, to);
  } else if (to == To::marked && entries.get(Flag::hard_link, id)) {
    changed.counted += mark_link_targets(id).counted;
  }
  return changed;
}

/// Marks or unmarks everything below a directory. The caller updates the counts of its ancestors.
CompactTree::Change CompactTree::change_below(DirectoryId id, To to) {
  struct Visited {
    DirectoryId directory;
    std::size_t parent;
    std::uint64_t changed;
  };
  std::vector<Visited> visited{{id, 0, 0}};
  Change changed;
  for (std::size_t i = 0; i < visited.size(); ++i) {
    const Directory& directory = names_.directory(visited[i].directory);
    const Change here = change_runs(directory, to);
    visited[i].changed = here.all;
    changed += here;
    for (DirectoryId below = directory.first_below; below != no_id;
         below = names_.directory(below).next_sibling) {
      if (descends(names_.directory(below).entry)) visited.push_back({below, i, 0});
    }
  }
  for (std::size_t i = visited.size(); i-- > 0;) {  // backwards: children come after their parents
    const Visited& one = visited[i];
    const auto difference = static_cast<std::uint32_t>(one.changed);
    std::uint32_t& below = names_.directory(one.directory).marked_below;
    below = to == To::marked ? below + difference : below - difference;
    if (i > 0) visited[one.parent].changed += one.changed;
  }
  return changed;
}

/// Marks or unmarks the entries of one directory, 64 at a time. Targets of hard links are not
/// counted in Change::all, because mark_link_targets() updates the counts of their ancestors.
CompactTree::Change CompactTree::change_runs(const Directory& directory, To to) {
  const bool any_links = to == To::marked && !links_.is_empty();
  Change changed;
  for (const IdRun& run : directory.runs) {
    const std::uint64_t end = std::uint64_t{run.first} + run.length;
    for (std::uint64_t at = run.first; at < end; at = (at / 64 + 1) * 64) {
      const auto [block, in_block] = names_.entries().place(static_cast<EntryId>(at));
      const std::uint32_t word = in_block / 64;
      const std::uint64_t here = std::min(end, (at / 64 + 1) * 64) - at;
      const std::uint64_t mask = (~std::uint64_t{0} >> (64 - here)) << (at % 64);
      std::uint64_t& marked = block->bits(Flag::marked)[word];
      const std::uint64_t flipped = mask & (to == To::marked ? ~marked : marked);
      marked ^= flipped;
      changed.all += static_cast<unsigned>(std::popcount(flipped));
      const std::uint64_t told = flipped & ~block->bits(Flag::implied)[word];
      changed.counted += static_cast<unsigned>(std::popcount(told));
      const std::uint64_t links = mask & block->bits(Flag::hard_link)[word];
      if (any_links && links != 0) {
        const auto first = static_cast<EntryId>(at / 64 * 64);
        changed.counted += mark_link_targets_of(first, links).counted;
      }
    }
  }
  return changed;
}

// ---- hard links and ancestors --------------------------------------------------------------

CompactTree::Change CompactTree::mark_link_targets_of(EntryId first, std::uint64_t links) {
  Change changed;
  for (; links != 0; links &= links - 1) {
    const EntryId id = first + static_cast<EntryId>(std::countr_zero(links));
    if (!descends(id)) changed += mark_link_targets(id);
  }
  return changed;
}

/// Marks the first name that a hard link points to; if that is itself a link in a later job, also
/// the first name that it points to, and so on. Updates the counts of their ancestors.
CompactTree::Change CompactTree::mark_link_targets(EntryId id) {
  EntryStore& entries = names_.entries();
  Change changed;
  for (int steps = 0; steps < longest_link_chain; ++steps) {
    id = link_target(id);
    if (id == no_id) break;
    if (entries.get(Flag::marked, id)) continue;
    entries.set(Flag::marked, id, true);
    add_to_ancestors(entries.parent(id), 1, To::marked);
    changed += {1, 1};
  }
  return changed;
}

void CompactTree::add_to_ancestors(DirectoryId from, std::uint64_t changed, To to) {
  if (changed == 0) return;
  const auto difference = static_cast<std::uint32_t>(changed);
  for (DirectoryId at = from; at != no_id; at = names_.directory(at).parent) {
    std::uint32_t& below = names_.directory(at).marked_below;
    below = to == To::marked ? below + difference : below - difference;
  }
}

}  // namespace assay::restore
