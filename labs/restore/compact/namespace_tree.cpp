#include <assay/restore/compact/namespace_tree.hpp>

#include <assay/restore/rows/words.hpp>

#include <algorithm>

namespace assay::restore {
namespace {

/// Up to 32 entries on their way into a table: their slots are prefetched first, and added later.
class HashedIds {
 public:
  [[nodiscard]] bool is_full() const { return size_ == most; }
  void add(std::uint64_t hash, EntryId id) { entries_[size_++] = {hash, id}; }
  void move_to(ChildTable& table) {
    for (std::size_t i = 0; i < size_; ++i) {
      const auto [hash, id] = entries_[i];
      table.add(table.find(hash, [](EntryId) { return false; }).slot, hash, id);
    }
    size_ = 0;
  }

 private:
  struct HashedId {
    std::uint64_t hash;
    EntryId id;
  };
  static constexpr std::size_t most = 32;

  std::array<HashedId, most> entries_{};
  std::size_t size_{0};
};

}  // namespace

EntryId Namespace::find_one_by_one(const Directory& parent, std::string_view name) const {
  for (const IdRun& run : parent.runs) {
    for (std::uint32_t i = 0; i < run.length; ++i) {
      if (entries_.name(run.first + i) == name) return run.first + i;
    }
  }
  return no_id;
}

ChildTable::Found Namespace::find_in_table(const Directory& parent, std::uint64_t hash,
                                           std::string_view name) const {
  return parent.table.find(hash, [&](EntryId id) { return entries_.name(id) == name; });
}

EntryId Namespace::find(DirectoryId parent, std::string_view name) const {
  const Directory& within = directories_[parent];
  if (within.table.capacity() == 0) return find_one_by_one(within, name);
  return find_in_table(within, hash_name(name), name).id;
}

EntryId Namespace::find_fast(DirectoryId parent, std::string_view name) {
  Directory& within = directories_[parent];
  if (wants_table(within)) grow_table(within);
  return find(parent, name);
}

bool Namespace::wants_table(const Directory& parent) {
  return parent.child_count > Directory::few_children && parent.table.capacity() == 0;
}

EntryId Namespace::append(DirectoryId parent, std::string_view name) {
  const EntryId id = entries_.add(parent, name);
  directories_[parent].append(id);
  return id;
}

/// Whether `name` follows all names so far in the order in which the directory's names arrive. Then
/// it is new: every name that came out of order sorts before the last one in order.
bool Namespace::is_next_in_order(Directory& parent, std::string_view name) const {
  if (parent.table.capacity() != 0) return false;
  return parent.last_in_order == no_id ||
         parent.order.follow(entries_.name(parent.last_in_order), name);
}

/// Whether the directory still needs no table: it is small, or few names came out of order.
bool Namespace::is_small_or_in_order(Directory& parent) {
  if (parent.table.capacity() != 0) return false;
  if (parent.child_count < Directory::few_children) return true;
  return parent.out_of_order++ < Directory::most_out_of_order;
}

Namespace::Added Namespace::find_or_add(DirectoryId parent, std::string_view name) {
  Directory& within = directories_[parent];
  if (is_next_in_order(within, name)) {
    within.last_in_order = append(parent, name);
    return {within.last_in_order, true};
  }
  if (is_small_or_in_order(within)) {
    const EntryId known = find_one_by_one(within, name);
    return known != no_id ? Added{known, false} : Added{append(parent, name), true};
  }
  if (within.table.is_full_at(within.child_count)) grow_table(within);
  const std::uint64_t hash = hash_name(name);
  const ChildTable::Found found = find_in_table(within, hash, name);
  if (found.id != no_id) return {found.id, false};
  const EntryId id = append(parent, name);
  within.table.add(found.slot, hash, id);
  return {id, true};
}

/// Makes a larger table, with room for at least one more entry.
void Namespace::grow_table(Directory& parent) {
  std::uint32_t slots = std::max(parent.table.capacity(), 2 * Directory::few_children);
  while (std::uint64_t{parent.child_count} + 1 > std::uint64_t{slots} * 7 / 8) slots *= 2;
  parent.table.reset(slots);
  HashedIds waiting;
  parent.for_each_child([&](EntryId id) {
    const std::uint64_t hash = hash_name(entries_.name(id));
    parent.table.prefetch(hash);
    waiting.add(hash, id);
    if (waiting.is_full()) waiting.move_to(parent.table);
  });
  waiting.move_to(parent.table);
}

DirectoryId Namespace::make_record(EntryId id) {
  const DirectoryId known = record_of(id);
  if (known != no_id) return known;
  const auto made = static_cast<DirectoryId>(directories_.size());
  const auto [block, at] = entries_.place(id);
  Directory record;
  record.parent = block->parents[at];
  record.entry = id;
  record.size_bytes = block->payloads[at];
  record.next_sibling = directories_[record.parent].first_below;
  directories_[record.parent].first_below = made;
  directories_.push_back(std::move(record));
  block->payloads[at] = made;
  entries_.set(Flag::has_record, id, true);
  return made;
}

std::string Namespace::path_of_directory(DirectoryId id) const {
  if (id == root) return "/";
  std::vector<EntryId> way;
  DirectoryId at = id;
  for (; at != root; at = directories_[at].parent) way.push_back(directories_[at].entry);
  std::string path;
  const DirectoryId top = record_of(way.back());
  if (!directories_[top].is_drive) path += '/';
  std::reverse(way.begin(), way.end());
  for (const EntryId entry : way) {
    path.append(entries_.name(entry)) += '/';
  }
  return path;
}

std::string Namespace::path_of(EntryId id) const {
  const DirectoryId record = record_of(id);
  std::string path;
  if (record != no_id && directories_[record].is_drive) {
    path = entries_.name(id);
  } else {
    path = path_of_directory(entries_.parent(id));
    path += entries_.name(id);
  }
  const bool shows_slash = entries_.get(Flag::directory, id) || has_children(id);
  if (shows_slash && !path.ends_with('/')) path += '/';
  return path;
}

std::size_t Namespace::memory_bytes() const {
  std::size_t bytes = entries_.memory_bytes() + directories_.capacity() * sizeof(Directory);
  for (const Directory& directory : directories_) bytes += directory.memory_bytes();
  return bytes;
}

}  // namespace assay::restore
