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

/// The handle that dlopen gives. The library stays loaded until the process ends.
Result<void*> load_plugin(const std::filesystem::path& path);

/// "omp_get_max_threads" for "libx.so: undefined symbol: omp_get_max_threads"; empty where dlopen
/// failed for another reason.
std::string missing_symbol(const std::string& reason);

/// Which of the libraries that PiBench's executable is linked with defines `symbol`; empty where
/// none does.
std::string_view library_with(std::string_view symbol);

}  // namespace assay::index
