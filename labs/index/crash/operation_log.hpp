// Purpose: what was asked of the store and what it acknowledged, in memory that outlives a killed
// process.
//
//   auto log = OperationLog::make(keys);              // before any process is made
//   log->key(7).intended = KeyState(3, true).code();   // then the operation
//   log->key(7).acknowledged = KeyState(3, true).code();   // once it returned true
//
// The memory is shared between this process and those it makes, so the kernel keeps it when one
// of them dies. Where `intended` and `acknowledged` of a key differ, an operation was in flight
// when the process was killed, and the store may hold either.
//
// Thread safety: every key belongs to one thread, the counts to all. Cost: two stores an operation.
#pragma once

#include <assay/base/result.hpp>
#include <assay/system/shared_pages.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string>

namespace assay::index::crash {

/// The state in which one operation leaves a key: its version, and whether it is there.
struct KeyState {
  std::uint32_t version{0};
  bool is_there{false};

  static KeyState from_code(std::uint64_t code) {
    return {static_cast<std::uint32_t>(code >> 1U), (code & 1U) != 0};
  }
  [[nodiscard]] std::uint64_t code() const {
    return std::uint64_t{version} << 1U | (is_there ? 1U : 0U);
  }
};

enum class Phase : std::uint32_t { loading, working, gave_up, opened, verified };

/// What the verifier found when it opened the store again. Counts are of keys unless they say
/// otherwise.
struct Findings {
  std::int64_t reopen_ns{0};
  std::int64_t reopen_cpu_ns{0};
  std::uint64_t acknowledged{0};  // acknowledged operations, loading included
  std::uint64_t refused{0};       // operations that wrongly returned false
  // Had an operation that was not acknowledged before the kill.
  std::uint64_t in_flight{0};
  // Of those in flight, the ones whose operation took effect.
  std::uint64_t happened{0};
  std::uint64_t gone{0};  // acknowledged as present, but absent
  // Have an older version than was acknowledged.
  std::uint64_t stale{0};
  std::uint64_t resurrected{0};    // acknowledged as removed, but present
  std::uint64_t torn{0};           // have bytes that are no version's value
  std::uint64_t never_written{0};  // have a version that no thread wrote
  std::uint64_t scan_differs{0};   // scan and find disagree
  std::uint64_t unusable{0};       // a new write fails

  [[nodiscard]] std::uint64_t lost() const { return gone + stale + resurrected; }
  [[nodiscard]] std::uint64_t spoilt() const {
    return torn + never_written + scan_differs + unusable;
  }
};

class OperationLog {
 public:
  struct Key {
    std::atomic<std::uint64_t> intended;
    std::atomic<std::uint64_t> acknowledged;
  };

  /// The last owner's destruction unmaps the memory.
  using Owner = std::shared_ptr<OperationLog>;

  static Result<Owner> make(std::uint32_t keys) {
    auto pages = SharedPages::make(bytes_for(keys));
    if (!pages) {
      const int code = pages.error().errno_value;
      return Error{std::string("no memory for the log: ") + std::strerror(code), "",
                   "give fewer --records", code};
    }
    const auto owned = std::make_shared<SharedPages>(std::move(pages).value());
    return Owner(owned, new (owned->as<void>()) OperationLog(keys));
  }

  [[nodiscard]] std::uint32_t keys() const { return keys_; }
  Key& key(std::uint32_t number) { return first()[number]; }

  /// Stores the message that says why a process gave up, or the first thing that it found wrong;
  /// later calls do nothing.
  void set_message(const std::string& text) {
    if (message_[0] != '\0') return;
    std::copy_n(text.data(), std::min(text.size(), message_.size() - 1), message_.data());
  }
  [[nodiscard]] std::string message() const { return message_.data(); }

  std::atomic<Phase> phase{Phase::loading};
  std::atomic<std::uint64_t> acknowledged{0};
  std::atomic<std::uint64_t> refused{0};
  // Written by the verifier process, read when it has ended.
  Findings findings{};

 private:
  explicit OperationLog(std::uint32_t keys) : keys_(keys) {}

  static std::size_t bytes_for(std::uint32_t keys) {
    return sizeof(OperationLog) + keys * sizeof(Key);
  }
  Key* first() { return reinterpret_cast<Key*>(this + 1); }

  std::uint32_t keys_;
  std::array<char, 1024> message_{};
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "locks are not shared");

}  // namespace assay::index::crash
