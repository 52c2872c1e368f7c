#include <assay/restore/tree/map_tree.hpp>

#include <assay/restore/rows/row_parser.hpp>
#include <assay/restore/tree/bootstrap.hpp>

namespace assay::restore {
namespace {

/// Removes the first component and its '/' from the front of a path that ends in '/', and returns
/// it.
std::string_view take_component(std::string_view& path) {
  const std::size_t slash = path.find('/');
  const std::string_view component = path.substr(0, slash);
  path.remove_prefix(slash == path.npos ? path.size() : slash + 1);
  return component;
}

}  // namespace

MapTree::MapTree() : root_(std::make_unique<Node>()), current_(root_.get()) {}

// ---- inserting -----------------------------------------------------------------------------

RowFault MapTree::insert(const ParsedRow& row) {
  RowFault fault = check_path(row.path);
  if (fault != RowFault::none) return fault;
  const Node* known = look_up(row);
  if (known != nullptr && is_superseded(*known, row)) return RowFault::none;
  fault = check(known, row);
  if (fault == RowFault::none) keep(find_or_add(row), row);
  return fault;
}

MapTree::Node* MapTree::look_up(const ParsedRow& row) const {
  Node* at = root_.get();
  std::string_view path = row.path;
  if (path.starts_with('/')) path.remove_prefix(1);
  // The root's own row is a child with an empty name.
  if (row.is_directory() && path.empty()) path = "/";
  while (!path.empty()) {
    const auto found = at->children.find(take_component(path));
    if (found == at->children.end()) return nullptr;
    at = found->second.get();
  }
  if (row.is_directory()) return at;
  const auto found = at->children.find(row.name);
  return found == at->children.end() ? nullptr : found->second.get();
}

MapTree::Node& MapTree::find_or_add(const ParsedRow& row) {
  Node* at = root_.get();
  std::string_view path = row.path;
  bool is_drive = !path.starts_with('/');
  if (!is_drive) path.remove_prefix(1);
  if (row.is_directory() && path.empty()) path = "/";
  while (!path.empty()) {
    at = &child(*at, take_component(path), is_drive);
    is_drive = false;
  }
  return row.is_directory() ? *at : child(*at, row.name, false);
}

MapTree::Node& MapTree::child(Node& parent, std::string_view name, bool is_drive) {
  const auto found = parent.children.find(name);
  if (found != parent.children.end()) return *found->second;
  auto made = std::make_unique<Node>();
  Node& node = *made;
  node.name = name;
  node.parent = &parent;
  node.drive = is_drive;
  parent.children.emplace(name, std::move(made));
  as_they_came_.push_back(&node);
  return node;
}

bool MapTree::is_superseded(const Node& node, const ParsedRow& row) {
  if (node.implied || node.key.first != row.job_id) return false;
  return row.is_link() ? row.file_index > node.key.second : row.file_index < node.key.second;
}

RowFault MapTree::check(const Node* known, const ParsedRow& row) {
  if (row.delta_seq > 0) {
    if (known == nullptr || known->implied) return RowFault::delta_without_predecessor;
    if (row.delta_seq != known->delta_seq + 1) return RowFault::delta_out_of_sequence;
  }
  return row.is_link() ? check_link(known, row) : RowFault::none;
}

RowFault MapTree::check_link(const Node* known, const ParsedRow& row) {
  const Key key{row.job_id, row.file_index};
  const auto target = link_targets_.find({row.job_id, row.stat.link_file_index});
  if (target != link_targets_.end()) {
    const Node* at = target->second;
    for (int steps = 0; at != nullptr; ++steps, at = link_target(*at)) {
      if (at == known || steps == longest_link_chain) return RowFault::hard_link_cycle;
    }
    return RowFault::none;
  }
  if (row.stat.link_file_index == row.file_index) return RowFault::hard_link_cycle;
  if (hanging_links_.contains(key)) return RowFault::none;
  std::uint32_t end = row.stat.link_file_index;
  for (auto next = hanging_links_.find({row.job_id, end}); next != hanging_links_.end();
       next = hanging_links_.find({row.job_id, end})) {
    end = next->second;
  }
  if (end == row.file_index) return RowFault::hard_link_cycle;
  hanging_links_[key] = row.stat.link_file_index;
  return RowFault::none;
}

void MapTree::keep(Node& node, const ParsedRow& row) {
  if (row.delta_seq > 0) {
    node.delta_parts.push_back(node.key);
  } else {
    node.delta_parts.clear();
  }
  node.implied = false;
  node.directory = row.is_directory();
  node.hard_link = row.is_link();
  node.stat = row.stat;
  node.stat.link_file_index = 0;
  node.key = {row.job_id, row.file_index};
  node.delta_seq = row.delta_seq;
  node.fhinfo = row.fhinfo;
  node.fhnode = row.fhnode;
  if (node.hard_link) {
    const auto first = link_targets_.find({row.job_id, row.stat.link_file_index});
    if (first != link_targets_.end()) link_targets_.emplace(node.key, first->second);
  } else if (row.stat.link_count > 1 && !row.is_directory()) {
    link_targets_.emplace(node.key, &node);
  }
}

MapTree::Node* MapTree::link_target(const Node& node) const {
  if (!node.hard_link) return nullptr;
  const auto found = link_targets_.find(node.key);
  if (found == link_targets_.end() || found->second == &node) return nullptr;
  return found->second->directory ? nullptr : found->second;
}

// ---- marking -------------------------------------------------------------------------------

std::uint64_t MapTree::change(std::string_view text, bool marked) {
  const PathPattern pattern(text);
  Node* from = pattern.is_absolute() ? root_.get() : current_;
  std::size_t part = 0;
  if (!pattern.is_absolute() && pattern.size() > 1) {
    const std::string& drive = pattern.part(0).text();
    const auto found = root_->children.find(drive);
    if (drive.size() == 2 && drive[1] == ':' && found != root_->children.end() &&
        found->second->drive) {
      from = found->second.get();
      part = 1;
    }
  }
  return change_matching(*from, pattern, part, marked);
}

std::uint64_t MapTree::change_matching(Node& at, const PathPattern& pattern, std::size_t part,
                                       bool marked) {
  std::uint64_t changed = 0;
  if (pattern.is_any_depth(part)) changed += change_matching(at, pattern, part + 1, marked);
  for (const auto& [name, node] : at.children) {
    if (pattern.is_any_depth(part)) {
      if (node->directory) changed += change_matching(*node, pattern, part, marked);
    } else if (pattern.part(part).matches(name)) {
      if (part + 1 == pattern.size()) {
        changed += change_with_all_below(*node, marked);
      } else if (node->directory) {
        changed += change_matching(*node, pattern, part + 1, marked);
      }
    }
  }
  return changed;
}

std::uint64_t MapTree::change_with_all_below(Node& node, bool marked) {
  std::uint64_t changed = change_alone(node, marked);
  if (descends(node)) {
    for (const auto& [name, below] : node.children) {
      changed += change_with_all_below(*below, marked);
    }
  } else if (marked) {
    Node* target = link_target(node);
    for (int steps = 0; target != nullptr && steps < longest_link_chain; ++steps) {
      changed += change_alone(*target, true);
      target = link_target(*target);
    }
  }
  return changed;
}

std::uint64_t MapTree::change_alone(Node& node, bool marked) {
  if (node.marked == marked) return 0;
  node.marked = marked;
  for (Node* above = node.parent; above != nullptr; above = above->parent) {
    marked ? ++above->marked_below : --above->marked_below;
  }
  return node.implied ? 0 : 1;
}

std::uint64_t MapTree::change_directories(std::string_view pattern, bool marked) {
  if (pattern.ends_with('/')) pattern.remove_suffix(1);
  const Glob glob(pattern);
  std::uint64_t changed = 0;
  for (const auto& [name, node] : current_->children) {
    if (node->directory && !node->implied && glob.matches(name)) {
      changed += change_alone(*node, marked);
    }
  }
  return changed;
}

// ---- reading -------------------------------------------------------------------------------

bool MapTree::descends(const Node& node) {
  return node.directory || (is_symlink(node.stat.mode) && !node.children.empty());
}

std::string MapTree::path_of(const Node& node) {
  if (node.parent == nullptr) return "/";
  std::string path = node.drive ? node.name : path_of(*node.parent) + node.name;
  const bool shows_slash = node.directory || !node.children.empty();
  if (shows_slash && !path.ends_with('/')) path += '/';
  return path;
}

std::string MapTree::pwd() const {
  const std::string path = path_of(*current_);
  // Without '/' at its end, if a later row made the current directory a file.
  return path.ends_with('/') ? path : path + '/';
}

ListedEntry MapTree::listed(const Node& node) {
  ListedEntry entry;
  entry.name = node.name;
  entry.mark = node.marked ? Mark::marked : node.marked_below > 0 ? Mark::below : Mark::none;
  entry.has_children = !node.children.empty();
  return entry;
}

void MapTree::ls(std::string_view pattern, const ListingSink& sink) const {
  const Glob glob(pattern);
  for (const auto& [name, node] : current_->children) {
    if (glob.matches(name)) sink(listed(*node));
  }
}

void MapTree::dir(std::string_view pattern, const ListingSink& sink) const {
  const Glob glob(pattern);
  for (const auto& [name, node] : current_->children) {
    if (!glob.matches(name)) continue;
    ListedEntry entry = listed(*node);
    entry.stat = node->stat;
    sink(entry);
  }
}

void MapTree::lsmark(std::string_view pattern, const ListingSink& sink) const {
  list_marked(*current_, Glob(pattern), 0, sink);
}

void MapTree::list_marked(const Node& node, const Glob& glob, std::size_t depth,
                          const ListingSink& sink) {
  for (const auto& [name, below] : node.children) {
    ListedEntry entry = listed(*below);
    if (entry.mark == Mark::none || !glob.matches(name)) continue;
    entry.depth = depth;
    sink(entry);
    list_marked(*below, glob, depth + 1, sink);
  }
}

void MapTree::find(std::string_view pattern, const ListingSink& sink) const {
  const Glob glob(pattern);
  for (const Node* node : as_they_came_) {
    if (!glob.matches(node->name)) continue;
    ListedEntry entry = listed(*node);
    const std::string path = path_of(*node);
    entry.name = path;
    sink(entry);
  }
}

bool MapTree::cd(std::string_view path) {
  Node* at = path.starts_with('/') ? root_.get() : current_;
  while (!path.empty()) {
    const std::string_view part = take_component(path);
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      at = at->parent == nullptr ? at : at->parent;
      continue;
    }
    auto found = at->children.find(part);
    const Glob glob(part);
    if (found == at->children.end()) {
      found = at->children.begin();
      while (found != at->children.end() && (found->first.empty() || !glob.matches(found->first))) {
        ++found;
      }
    }
    if (found == at->children.end()) return false;
    at = found->second.get();
    if (!at->directory && at->children.empty()) return false;
  }
  current_ = at;
  return true;
}

Counts MapTree::count() const {
  Counts counts;
  for (const Node* node : as_they_came_) {
    counts.entries += node->implied ? 0 : 1;
    counts.marked += !node->implied && node->marked ? 1 : 0;
  }
  return counts;
}

Estimate MapTree::estimate() const {
  Estimate estimate;
  for (const Node* node : as_they_came_) {
    if (node->implied) continue;
    ++estimate.entries;
    estimate.marked += node->marked || node->marked_below > 0 ? 1 : 0;
    const bool is_file = !node->directory && is_regular(node->stat.mode);
    if (node->marked && is_file && node->stat.size_bytes > 0) {
      estimate.bytes += static_cast<std::uint64_t>(node->stat.size_bytes);
    }
  }
  return estimate;
}

std::vector<BootstrapRange> MapTree::bootstrap() const {
  BootstrapList list;
  for (const Node* node : as_they_came_) {
    if (!node->marked || node->implied) continue;
    for (const Key& part : node->delta_parts) list.add(part.first, part.second);
    list.add(node->key.first, node->key.second);
  }
  return std::move(list).finish();
}

std::size_t MapTree::memory_bytes() const {
  constexpr std::size_t malloc_overhead = 8;
  constexpr std::size_t map_node = 32 + sizeof(std::pair<const std::string, void*>);
  constexpr std::size_t in_place = 15;  // a std::string keeps so many characters without allocating
  std::size_t bytes = as_they_came_.capacity() * sizeof(void*);
  for (const Node* node : as_they_came_) {
    const std::size_t length = node->name.size();
    const std::size_t text = length > in_place ? length + 1 + malloc_overhead : 0;
    bytes += sizeof(Node) + map_node + 2 * malloc_overhead + 2 * text;
    bytes += node->delta_parts.capacity() * sizeof(Key);
  }
  return bytes + (link_targets_.size() + hanging_links_.size()) * (map_node + malloc_overhead);
}

}  // namespace assay::restore
