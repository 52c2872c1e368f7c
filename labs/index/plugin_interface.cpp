#include <assay/index/plugin_interface.hpp>

#include <assay/index/elf_symbols.hpp>
#include <assay/index/tree_classes.hpp>

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <vector>

namespace assay::index {
namespace {

constexpr const char* other_string =
    ", whose std::string is laid out differently: it may misread pool_path and what follows it in "
    "tree_options_t";

std::uintptr_t base_of(void* handle) {
  link_map* map = nullptr;
  return dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 ? map->l_addr : 0;
}

bool imports_symbol(const std::vector<ElfSymbol>& symbols, auto is_it) {
  return std::any_of(symbols.begin(), symbols.end(), [&](const ElfSymbol& symbol) {
    return !symbol.is_defined && is_it(symbol.name);
  });
}

/// A warning if the plug-in uses another std::string than this program; else empty. "Ss" is the
/// mangled name of GCC's std::string from before C++11.
std::string foreign_string(const std::vector<ElfSymbol>& symbols) {
  const auto has = [&](const char* part) {
    return imports_symbol(
        symbols, [part](const std::string& name) { return name.find(part) != std::string::npos; });
  };
  if (has("NSt3__1")) return "it was built with libc++" + std::string(other_string);
  const bool has_old = imports_symbol(symbols, [](const std::string& name) {
    return name.starts_with("_ZNSs") || name.starts_with("_ZNKSs");
  });
  if (!has_old || has("__cxx11")) return "";
  return "it was built with _GLIBCXX_USE_CXX11_ABI=0" + std::string(other_string);
}

/// A note naming the branches of PiBench whose interface is known to begin with these functions;
/// else empty.
std::string known_branches_note(const std::string& functions) {
  return functions.starts_with("bulk_load")
             ? " (that of PiBench's branches bulk-loading, tls-cleanup and optiql begins so)"
             : "";
}

Error error_of(const std::filesystem::path& path, const TreeClass& tree,
               const std::string& functions) {
  return Error{"is built for another interface: the functions of its class " + tree.name +
                   " are, in this order, " + functions + known_branches_note(functions) +
                   "; PiBench's are find, insert, update, remove, scan",
               path.string(),
               "compile it with include/tree_api.hpp of PiBench's branch master, or with "
               "assay/index/tree_api.hpp"};
}

}  // namespace

PluginInterface interface_of(const std::filesystem::path& path, void* handle) {
  const std::vector<ElfSymbol> symbols = elf_symbols(path);
  PluginInterface seen{.error = std::nullopt, .warning = foreign_string(symbols), .hint = {}};
  for (const TreeClass& tree : tree_classes(symbols, base_of(handle))) {
    if (const auto functions = other_interface(tree)) {
      seen.error = error_of(path, tree, *functions);
      return seen;
    }
    const std::string more = functions_never_called(tree);
    if (!more.empty()) {
      seen.hint = "its class " + tree.name + " has more functions than PiBench's interface (" +
                  more + "), which are never called: does it rely on one of them?";
    }
  }
  return seen;
}

Error no_create_tree(const std::filesystem::path& path) {
  const std::vector<ElfSymbol> symbols = elf_symbols(path);
  const bool is_mangled = std::any_of(symbols.begin(), symbols.end(), [](const ElfSymbol& symbol) {
    return symbol.is_defined && symbol.name.starts_with("_Z11create_tree");
  });
  return Error{is_mangled ? "has create_tree, but not as extern \"C\"" : "has no create_tree",
               path.string(),
               "a plug-in defines extern \"C\" tree_api* create_tree(const tree_options_t&)"};
}

}  // namespace assay::index
