// Purpose: the folder or file that holds a persistent structure, from --pool_path.
//
//   auto folder = pool_folder(options);   // made when it is not there yet
//   auto file = pool_file(options);       // its folder made
//
// Thread safety: used in create_tree only. Cost: a few system calls.
#pragma once

#include <assay/base/result.hpp>
#include <assay/index/tree_api.hpp>

#include <filesystem>
#include <string>
#include <system_error>

namespace assay::index {

inline Result<std::string> made_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed && std::filesystem::is_directory(folder, failed)) return folder.string();
  const std::string why = failed ? failed.message() : "a file is in its place";
  return Error{"cannot make the folder: " + why, folder.string(), "choose another --pool_path",
               failed.value()};
}

inline Error no_pool_path() {
  return {"it is kept in files and was not told where", "", "give --pool_path"};
}

inline Result<std::string> pool_folder(const tree_options_t& options) {
  if (options.pool_path.empty()) return no_pool_path();
  return made_folder(options.pool_path);
}

inline Result<std::string> pool_file(const tree_options_t& options) {
  if (options.pool_path.empty()) return no_pool_path();
  const std::filesystem::path file(options.pool_path);
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    return Error{"it is a folder", file.string(), "give --pool_path the name of a file"};
  }
  if (!file.has_parent_path()) return file.string();
  const auto folder = made_folder(file.parent_path());
  if (!folder) return folder.error();
  return file.string();
}

}  // namespace assay::index
