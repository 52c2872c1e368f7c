// Purpose: create_tree of this folder's plug-ins: a tree, or the reason on stderr and nullptr.
//
//   extern "C" tree_api* create_tree(const tree_options_t& options) {
//     return assay::index::create_or_say("lmdb", [&] { return open_lmdb(options); });
//   }
//
// Thread safety: that of what it calls. Cost: once a tree.
#pragma once

#include <assay/base/result.hpp>
#include <assay/index/tree_api.hpp>

#include <cstdio>
#include <exception>
#include <memory>
#include <string>

namespace assay::index {

inline void say(const std::string& plugin, const std::string& text) {
  std::fputs((plugin + ": " + text + "\n").c_str(), stderr);
}

/// Calls `make`, which returns a Result with a tree. Exceptions must not pass through the C
/// interface: they too become a message on stderr and nullptr.
template <class Make>
tree_api* create_or_say(const char* plugin, Make make) {
  try {
    auto made = make();
    if (made) return std::move(made).value().release();
    say(plugin, made.error().line());
  } catch (const std::exception& failure) {
    say(plugin, failure.what());
  }
  return nullptr;
}

}  // namespace assay::index
