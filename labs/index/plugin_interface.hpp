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
  // What may make the plug-in's results wrong.
  std::string warning{};
  std::string hint{};  // a possible reason, in case the plug-in fails
};

/// Checks the plug-in's file and loaded classes. `handle` is the result of dlopen().
PluginInterface interface_of(const std::filesystem::path& path, void* handle);

/// The Error for a library without create_tree, with the reason and a hint.
Error no_create_tree(const std::filesystem::path& path);

}  // namespace assay::index
