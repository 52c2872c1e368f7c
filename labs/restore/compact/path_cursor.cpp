#include <assay/restore/compact/path_cursor.hpp>

#include <assay/restore/rows/row_parser.hpp>

#include <algorithm>

namespace assay::restore {
namespace {

DirectoryId enter_one(Namespace& names, DirectoryId parent, std::string_view name) {
  const auto [id, is_new] = names.find_or_add(parent, name);
  EntryStore& entries = names.entries();
  if (is_new) {
    const auto [block, at] = entries.place(id);
    block->file_indexes[at] = 0;
    block->jobs[at] = 0;
    block->stat_classes[at] = 0;
    block->payloads[at] = 0;
    block->mtimes_s[at] = 0;
    entries.set(Flag::implied, id, true);
    entries.set(Flag::directory, id, true);
  }
  return names.make_record(id);
}

std::size_t length_in_common(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  const auto end = a.begin() + static_cast<std::ptrdiff_t>(shorter);
  return static_cast<std::size_t>(std::mismatch(a.begin(), end, b.begin()).first - a.begin());
}

}  // namespace

void PathCursor::step_back_to_common(std::string_view path) {
  const std::size_t common = length_in_common(path, last_path_);
  while (!steps_.empty() && steps_.back().end > common) steps_.pop_back();
}

RowFault PathCursor::enter(Namespace& names, std::string_view path, DirectoryId& directory) {
  if (path == last_path_) {
    directory = last_;
    return RowFault::none;
  }
  const RowFault fault = check_path(path);
  if (fault != RowFault::none) return fault;
  step_back_to_common(path);
  const bool absolute = path.starts_with('/');
  std::size_t begin = steps_.empty() ? static_cast<std::size_t>(absolute) : steps_.back().end;
  DirectoryId at = steps_.empty() ? Namespace::root : steps_.back().directory;
  while (begin < path.size()) {
    const std::size_t slash = path.find('/', begin);
    const std::size_t before = names.entries().size();
    at = enter_one(names, at, path.substr(begin, slash - begin));
    const bool is_new = names.entries().size() != before;
    if (is_new && begin == 0) names.directory(at).is_drive = true;
    steps_.push_back({slash + 1, at});
    begin = slash + 1;
  }
  last_path_ = path;
  last_ = at;
  directory = at;
  return RowFault::none;
}

DirectoryId PathCursor::look_up(Namespace& names, std::string_view path) const {
  if (path == last_path_) return last_;
  DirectoryId at = Namespace::root;
  std::size_t begin = path.starts_with('/') ? 1 : 0;
  while (begin < path.size() && at != no_id) {
    const std::size_t slash = path.find('/', begin);
    const EntryId entry = names.find_fast(at, path.substr(begin, slash - begin));
    at = entry == no_id ? no_id : names.record_of(entry);
    begin = slash + 1;
  }
  return at;
}

}  // namespace assay::restore
