// Purpose: finds and loads a plug-in of the index lab, a shared library with `create_tree`, and
// asks it for a tree.
//
//   auto library = assay::index::PluginLibrary::open("stlmap");       // or ./path/to/lib.so
//   if (!library) return library.error();
//   auto tree = library->create(tree_options_t{});
//
// What can be wrong with it comes back as an Error: no such file, not a shared library, no
// create_tree, built for another interface, nullptr returned, an exception thrown. What kills the
// process (a plug-in that segfaults) is for a supervisor to see: supervisor.hpp.
//
// Thread safety: belongs to one thread; the tree is as its plug-in says.
// Cost: before the measurement. The library stays loaded until the process ends: threads and
// thread-local objects of a plug-in may outlive the tree.
#pragma once

#include <assay/base/result.hpp>
#include <assay/index/options_page.hpp>
#include <assay/index/tree_api.hpp>

#include <filesystem>
#include <memory>
#include <string>

namespace assay::index {

class PluginLibrary {
 public:
  using Create = tree_api* (*)(const tree_options_t&);

  /// `page` holds the options for create_tree. Give one that was made before a fork() where the
  /// parent is to find out whether create_tree read beyond them.
  static Result<PluginLibrary> open(const std::string& plugin,
                                    std::shared_ptr<OptionsPage> page = nullptr);

  [[nodiscard]] Result<std::unique_ptr<tree_api>> create(const tree_options_t& options) const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// What may make the plug-in's results wrong although it runs; empty if nothing was noticed.
  [[nodiscard]] const std::string& warning() const { return warning_; }
  /// A possible reason, in case the plug-in fails; empty if nothing was noticed.
  [[nodiscard]] const std::string& hint() const { return hint_; }

 private:
  PluginLibrary(std::filesystem::path path, Create function)
      : path_(std::move(path)), create_(function) {}

  std::filesystem::path path_;
  Create create_;
  std::shared_ptr<OptionsPage> options_{};
  std::string warning_{};
  std::string hint_{};
};

/// The folder of the plug-ins that come with Assay: `plugins` beside the running executable.
std::filesystem::path plugin_folder();

/// The file of a plug-in: `plugin` itself if it is a file; else, if it contains no slash,
/// lib<plugin>.so in `folder`. The Error lists the plug-ins in `folder`.
Result<std::filesystem::path> resolve_plugin(const std::string& plugin,
                                             const std::filesystem::path& folder);

/// A plug-in's name from its file: "stlmap" for ".../libstlmap.so", "stlmap_wrapper" for
/// ".../stlmap_wrapper.so".
std::string plugin_name(const std::filesystem::path& path);

}  // namespace assay::index
