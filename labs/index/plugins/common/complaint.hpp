// Purpose: what this folder's plug-ins print where a tree cannot be made or an operation fails, as
// the interface can only return nullptr or `false`.
//
//   extern "C" tree_api* create_tree(const tree_options_t& options) {
//     return assay::index::create_or_say("lmdb", [&] { return open_lmdb(options); });
//   }
//   ...
//   if (!status.ok()) return complaint_.refuse(status.ToString());   // said once a tree
//
// Thread safety: any number of threads. Cost: none until something fails.
#pragma once

#include <assay/base/result.hpp>
#include <assay/index/tree_api.hpp>

#include <atomic>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <utility>

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

/// Prints why an operation failed, once a tree.
class Complaint {
 public:
  explicit Complaint(std::string plugin) : plugin_(std::move(plugin)) {}

  /// Prints `why` at the first call only. Always returns false, so that a failed operation can
  /// return it.
  bool refuse(const std::string& why) {
    if (!said_.exchange(true)) say(plugin_, why + " (operations that fail so return false)");
    return false;
  }

 private:
  std::string plugin_;
  std::atomic<bool> said_{false};
};

}  // namespace assay::index
