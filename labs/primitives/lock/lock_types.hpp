// Purpose: the locks that the `lock` group compares, with one interface.
//
//   LockType::Ticket lock;
//   lock.lock(priority);   // only LockType::Priority looks at it
//   lock.unlock();
//
// Thread safety: they are locks. Cost: that of the lock. Those that spin yield their CPU after a
// hundred checks: with more threads than CPUs, spinning on would keep the lock's holder from
// running.
#pragma once

#include <assay/primitives/lock/futex.hpp>
#include <assay/primitives/lock/priority_lock.hpp>
#include <assay/primitives/pause.hpp>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <string_view>

namespace assay::primitives {

struct LockType {
  struct Mutex {
    static constexpr std::string_view name = "LockType::Mutex";
    void lock(std::uint32_t /*priority*/) { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

   private:
    std::mutex mutex_;
  };

  struct SharedMutex {
    static constexpr std::string_view name = "LockType::SharedMutex";
    void lock(std::uint32_t /*priority*/) { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }
    void lock_shared() { mutex_.lock_shared(); }
    void unlock_shared() { mutex_.unlock_shared(); }

   private:
    std::shared_mutex mutex_;
  };

  /// Test-and-test-and-set: waiters only read, each from the copy in its own cache.
  struct Spin {
    static constexpr std::string_view name = "LockType::Spin";
    void lock(std::uint32_t /*priority*/) {
      Backoff backoff;
      while (is_held_.exchange(true, std::memory_order_acquire)) {
        while (is_held_.load(std::memory_order_relaxed)) backoff.wait();
      }
    }
    void unlock() { is_held_.store(false, std::memory_order_release); }

   private:
    std::atomic<bool> is_held_{false};
  };

  /// A ticket lock: threads get the lock in the order in which they came.
  struct Ticket {
    static constexpr std::string_view name = "LockType::Ticket";
    void lock(std::uint32_t /*priority*/) {
      const std::uint32_t mine = next_.fetch_add(1, std::memory_order_relaxed);
      Backoff backoff;
      while (served_.load(std::memory_order_acquire) != mine) backoff.wait();
    }
    void unlock() {
      served_.store(served_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
    }

   private:
    alignas(64) std::atomic<std::uint32_t> next_{0};
    alignas(64) std::atomic<std::uint32_t> served_{0};
  };

  /// The second mutex of Drepper, "Futexes are tricky": it makes no system call when nobody waits.
  struct Futex {
    static constexpr std::string_view name = "LockType::Futex";
    void lock(std::uint32_t /*priority*/) {
      std::uint32_t seen = is_free;
      if (word_.compare_exchange_strong(seen, is_held, std::memory_order_acquire)) return;
      while (word_.exchange(has_waiters, std::memory_order_acquire) != is_free) {
        futex_wait(word_, has_waiters);
      }
    }
    void unlock() {
      if (word_.exchange(is_free, std::memory_order_release) == has_waiters) futex_wake_one(word_);
    }

   private:
    static constexpr std::uint32_t is_free = 0;
    static constexpr std::uint32_t is_held = 1;
    static constexpr std::uint32_t has_waiters = 2;
    FutexWord word_{is_free};
  };

  struct Priority : PriorityLock {
    static constexpr std::string_view name = "LockType::Priority";
  };
};

}  // namespace assay::primitives
