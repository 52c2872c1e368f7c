// Purpose: lets a store that cannot "put only if absent" look a key up and write it as one step.
//
//   KeyLocks locks_(options.num_threads);
//   const auto held = locks_.hold(key);
//
// Thread safety: any thread; two keys may share a lock. Cost: an uncontended mutex and a hash,
// about 25 ns; nothing with one thread.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string_view>

namespace assay::index {

class KeyLocks {
 public:
  explicit KeyLocks(std::size_t threads) : needed_(threads > 1) {}

  [[nodiscard]] std::unique_lock<std::mutex> hold(std::string_view key) {
    if (!needed_) return {};
    return std::unique_lock(locks_[std::hash<std::string_view>{}(key) % locks_.size()].mutex);
  }

 private:
  struct alignas(64) Lock {
    std::mutex mutex;
  };
  std::array<Lock, 256> locks_{};
  const bool needed_;
};

}  // namespace assay::index
