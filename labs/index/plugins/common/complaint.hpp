// Purpose: prints why an operation failed, once a tree: the interface can only return `false`.
//
//   if (!status.ok()) return complaint_.refuse(status.ToString());
//
// Thread safety: any number of threads. Cost: none until something fails.
#pragma once

#include <assay/index/plugins/common/creation.hpp>

#include <atomic>
#include <string>
#include <utility>

namespace assay::index {

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
