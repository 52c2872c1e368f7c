// Purpose: options of a plug-in beyond those of tree_options_t, which cannot grow: environment
// variables ASSAY_...
//
//   const bool sync = switched_on("ASSAY_LMDB_SYNC", true);   // 0 turns it off, 1 on
//
// Thread safety: read in create_tree only. Cost: none to an operation.
#pragma once

#include <assay/base/result.hpp>

#include <cstdlib>
#include <string>
#include <string_view>

namespace assay::index {

inline Result<bool> switched_on(const char* variable, bool otherwise) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return otherwise;
  const std::string_view value(text);
  if (value == "1" || value == "0") return value == "1";
  return Error{"'" + std::string(value) + "' is neither 0 nor 1", variable, "set it to 0 or 1"};
}

}  // namespace assay::index
