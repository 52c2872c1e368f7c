// Purpose: the directory a row's path names, fast when it is the last row's or near it.
//
//   PathCursor cursor;
//   DirectoryId directory;
//   const RowFault fault = cursor.enter(names, "/home/a/", directory);
//
// Thread safety: one thread. Cost: one comparison of the path when it is the last one;
// otherwise a search by name for each component they do not share.
#pragma once

#include <assay/suites/restore/compact/namespace_tree.hpp>
#include <assay/suites/restore/rows/row.hpp>

namespace assay::restore {

class PathCursor {
 public:
  /// Adds what is missing, as implied directories.
  RowFault enter(Namespace& names, std::string_view path, DirectoryId& directory);

  /// Adds nothing: no_id when there is no such directory.
  [[nodiscard]] DirectoryId look_up(Namespace& names, std::string_view path) const;

  /// The directory entered last.
  [[nodiscard]] DirectoryId last() const { return last_; }

 private:
  struct Step {
    std::size_t end;  // in the path, past the '/'
    DirectoryId directory;
  };

  void step_back_to_common(std::string_view path);

  std::string last_path_{};
  DirectoryId last_{Namespace::root};
  std::vector<Step> steps_{};
};

}  // namespace assay::restore
