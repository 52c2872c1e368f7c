// Purpose: loads a plug-in's shared library, and what PiBench's executable would bring along.
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

/// What dlopen gives; it stays loaded.
Result<void*> load_plugin(const std::filesystem::path& path);

/// "omp_get_max_threads" of "libx.so: undefined symbol: omp_get_max_threads"; empty of others.
std::string missing_symbol(const std::string& reason);

/// The library that defines it, of those that PiBench's executable is linked with; else empty.
std::string_view library_with(std::string_view symbol);

}  // namespace assay::index
