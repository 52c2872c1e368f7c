// Purpose: a lock that goes to the waiter of the highest priority; of equal ones to the first.
// After FoundationDB's PriorityMultiLock.
//
//   PriorityLock lock;
//   lock.lock(priority);   // the larger the sooner
//   lock.unlock();         // hands it over: nobody can overtake
//
// Thread safety: it is a lock. Cost: a mutex each way; a waiter sleeps in the kernel.
#pragma once

#include <assay/primitives/lock/futex.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>

namespace assay::primitives {

class PriorityLock {
 public:
  static constexpr std::uint32_t highest = 7;

  void lock(std::uint32_t priority) {
    Waiter me;
    {
      const std::scoped_lock guard(mutex_);
      if (!is_held_) {
        is_held_ = true;
        return;
      }
      waiters_.at(priority).push_back(&me);
      ++waiting_;
    }
    while (me.granted.load(std::memory_order_acquire) == 0) futex_wait(me.granted, 0);
  }

  void unlock() {
    Waiter* next = nullptr;
    {
      const std::scoped_lock guard(mutex_);
      next = take_next();
      if (next == nullptr) {
        is_held_ = false;
        return;
      }
    }
    FutexWord& granted = next->granted;
    granted.store(1, std::memory_order_release);
    futex_wake_one(granted);  // only its address is used: the waiter may have returned by now
  }

  [[nodiscard]] std::size_t waiting() const {
    const std::scoped_lock guard(mutex_);
    return waiting_;
  }

 private:
  struct Waiter {
    FutexWord granted{0};
  };

  Waiter* take_next() {
    if (waiting_ == 0) return nullptr;
    std::size_t priority = highest;
    while (waiters_.at(priority).empty()) --priority;
    Waiter* const next = waiters_.at(priority).front();
    waiters_.at(priority).pop_front();
    --waiting_;
    return next;
  }

  mutable std::mutex mutex_;
  std::array<std::deque<Waiter*>, highest + 1> waiters_;
  std::size_t waiting_ = 0;
  bool is_held_ = false;
};

}  // namespace assay::primitives
