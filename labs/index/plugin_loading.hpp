// Purpose: loads a plug-in's shared library, and libraries that PiBench's executable would have
// brought along.
//
//   const auto handle = load_plugin(path);
//   if (!handle) return handle.error();
//
// A plug-in may need OpenMP or libnuma without naming them, because the executable it was
// written for is linked with them. They are loaded when such a symbol is missing.
//
// Thread safety: none needed. Cost: before anything is measured.
#pragma once

#include <assay/base/result.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace assay::index {

/// Loads the library and returns the handle of dlopen(). The library stays loaded until the process
/// ends.
Result<void*> load_plugin(const std::filesystem::path& path);

/// The symbol that is missing according to dlerror(): "omp_get_max_threads" for "libx.so: undefined
/// symbol: omp_get_max_threads". Empty if dlopen failed for another reason.
std::string missing_symbol(const std::string& reason);

/// The library that defines `symbol`, among those that PiBench's executable is linked with; empty
/// if none does.
std::string_view library_with(std::string_view symbol);

}  // namespace assay::index
