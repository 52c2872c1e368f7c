#include <assay/index/plugin_library.hpp>

#include <assay/index/plugin_interface.hpp>
#include <assay/index/plugin_loading.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <exception>
#include <system_error>
#include <vector>

namespace assay::index {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

std::string names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    if (entry.path().extension() == ".so") names.push_back(plugin_name(entry.path()));
  }
  std::sort(names.begin(), names.end());
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "none was built" : "built here: " + list;
}

}  // namespace

fs::path plugin_folder() {
  std::error_code failed;
  return fs::read_symlink("/proc/self/exe", failed).parent_path() / "plugins";
}

std::string plugin_name(const fs::path& path) {
  const std::string stem = path.stem().string();
  return stem.size() > 3 && stem.starts_with("lib") ? stem.substr(3) : stem;
}

Result<fs::path> resolve_plugin(const std::string& plugin, const fs::path& folder) {
  if (plugin.empty()) return Error{"no plug-in named", "", names_in(folder)};
  std::error_code failed;
  if (is_file(plugin)) return fs::absolute(plugin, failed);
  const fs::path built = folder / ("lib" + plugin + ".so");
  const bool is_name = plugin.find('/') == std::string::npos;
  if (is_name && is_file(built)) return built;
  if (fs::is_directory(plugin, failed)) return Error{"is a directory, not a plug-in", plugin};
  return Error{is_name ? "no such plug-in and no such file" : "no such file", plugin,
               names_in(folder)};
}

Result<PluginLibrary> PluginLibrary::open(const std::string& plugin,
                                          std::shared_ptr<OptionsPage> page) {
  const auto path = resolve_plugin(plugin, plugin_folder());
  if (!path) return path.error();
  const auto handle = load_plugin(*path);
  if (!handle) return handle.error();
  void* const symbol = dlsym(*handle, "create_tree");
  if (symbol == nullptr) return no_create_tree(*path);
  PluginInterface seen = interface_of(*path, *handle);
  if (seen.error) return *seen.error;
  if (!page) {
    auto made = OptionsPage::make();
    if (!made) return made.error();
    page = *made;
  }
  PluginLibrary library(*path, reinterpret_cast<Create>(symbol));
  library.options_ = std::move(page);
  library.warning_ = std::move(seen.warning);
  library.hint_ = std::move(seen.hint);
  return library;
}

Result<std::unique_ptr<tree_api>> PluginLibrary::create(const tree_options_t& options) const {
  std::string threw;
  try {
    std::unique_ptr<tree_api> tree(create_(options_->put(options)));
    if (tree) return tree;
  } catch (const std::exception& exception) {
    threw = exception.what();
  } catch (...) {
    threw = "something that is no std::exception";
  }
  if (!threw.empty()) return Error{"create_tree threw: " + threw, path_.string()};
  return Error{"create_tree returned nullptr", path_.string(),
               "does it take keys of " + std::to_string(options.key_size) +
                   " bytes and values of " + std::to_string(options.value_size) + "?"};
}

}  // namespace assay::index
