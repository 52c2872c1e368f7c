// Purpose: whether a loaded plug-in was built for the interface that we call it by.
//
//   const PluginInterface seen = interface_of(path, handle);
//   if (seen.error) return *seen.error;      // calling it would call other functions
//
// Forks of PiBench have longer interfaces, and a compiler's options can change the layout of
// tree_options_t. Reports only what the symbols of the file show: a plug-in without them is
// accepted.
//
// Thread safety: none needed. Cost: a look at the file, before anything is measured.
#pragma once

#include <assay/base/result.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace assay::index {

struct PluginInterface {
  std::optional<Error> error{};
  std::string warning{};  // what may make it misbehave
  std::string hint{};     // what may have been the reason, should it fail
};

/// `handle` is what dlopen gave.
PluginInterface interface_of(const std::filesystem::path& path, void* handle);

/// Why dlsym does not find create_tree, and what to do.
Error no_create_tree(const std::filesystem::path& path);

}  // namespace assay::index
