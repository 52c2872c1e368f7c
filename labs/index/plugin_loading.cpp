#include <assay/index/plugin_loading.hpp>

#include <dlfcn.h>

#include <array>
#include <set>

namespace assay::index {
namespace {

struct Provider {
  std::string_view prefix;
  std::string_view library;
};

constexpr std::array<Provider, 4> providers{{{"omp_", "libgomp.so.1"},
                                             {"GOMP_", "libgomp.so.1"},
                                             {"__kmpc_", "libomp.so.5"},
                                             {"numa_", "libnuma.so.1"}}};

/// Why dlopen failed: the text of dlerror(), without the path that it begins with.
std::string reason_of_dl(const std::filesystem::path& path) {
  const char* const said = dlerror();
  std::string reason = said == nullptr ? "unknown reason" : said;
  const std::string start = path.string() + ": ";
  if (reason.starts_with(start)) reason.erase(0, start.size());
  return reason;
}

std::string preloading(std::string_view library) {
  return "LD_PRELOAD=" + std::string(library) + " assay index ...";
}

std::string hint_for(const std::string& reason, std::string_view library) {
  if (reason.find("static TLS block") != std::string::npos) {
    return "ask for more of it: GLIBC_TUNABLES=glibc.rtld.optional_static_tls=4000000 assay index "
           "...";
  }
  if (!library.empty()) {
    return "install " + std::string(library) + ", or name it by its path: " + preloading(library);
  }
  if (missing_symbol(reason).empty()) return "is it a shared library built for this machine?";
  return "link it with the library that defines this, or name that library: " +
         preloading("LIBRARY.so");
}

}  // namespace

std::string missing_symbol(const std::string& reason) {
  static constexpr std::string_view before = "undefined symbol: ";
  const std::size_t at = reason.find(before);
  if (at == std::string::npos) return "";
  const std::size_t begin = at + before.size();
  return reason.substr(begin, reason.find_first_of(", \n", begin) - begin);
}

std::string_view library_with(std::string_view symbol) {
  for (const Provider& provider : providers) {
    if (symbol.starts_with(provider.prefix)) return provider.library;
  }
  return "";
}

Result<void*> load_plugin(const std::filesystem::path& path) {
  std::set<std::string_view> brought;
  while (true) {
    void* const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) return handle;
    const std::string reason = reason_of_dl(path);
    const std::string symbol = missing_symbol(reason);
    const std::string_view library = library_with(symbol);
    const bool is_new = !library.empty() && brought.insert(library).second;
    if (!is_new || dlopen(library.data(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
      return Error{"cannot be loaded: " + reason, path.string(), hint_for(reason, library)};
    }
  }
}

}  // namespace assay::index
