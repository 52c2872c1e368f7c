// Purpose: finds the directory of a row's path, fast when it is the last row's directory or shares
// the beginning of its path.
//
//   PathCursor cursor;
//   DirectoryId directory;
//   const RowFault fault = cursor.enter(names, "/home/a/", directory);
//
// Thread safety: one thread. Cost: one comparison of the path when it is the last one; otherwise
// a search by name for each component that differs from the last path.
#pragma once

#include <assay/restore/compact/namespace_tree.hpp>
#include <assay/restore/rows/row.hpp>

namespace assay::restore {

class PathCursor {
 public:
  /// Finds the directory, and adds missing ones as implied directories.
  RowFault enter(Namespace& names, std::string_view path, DirectoryId& directory);

  /// Finds the directory without adding anything; no_id when there is no such directory.
  [[nodiscard]] DirectoryId look_up(Namespace& names, std::string_view path) const;

  /// The directory entered last.
  [[nodiscard]] DirectoryId last() const { return last_; }

 private:
  struct Step {
    std::size_t end;  // where the component ends in the path, its '/' included
    DirectoryId directory;
  };

  void step_back_to_common(std::string_view path);

  std::string last_path_{};
  DirectoryId last_{Namespace::root};
  std::vector<Step> steps_{};
};

}  // namespace assay::restore
