// Purpose: the locks that the `lock` group compares, with one interface, and the checks before one
// is timed: only one thread holds it at a time, and all get it in the end; readers may hold it
// together; the waiter of the highest priority gets it first.
//
//   LockType::Ticket lock;
//   lock.lock(priority);   // only LockType::Priority looks at it
//   lock.unlock();
//   if (const Problem problem = check_exclusion<LockType::Spin>()) ...
//
// Thread safety: they are locks. Checks start threads of their own, and what is guarded is atomic,
// so that with a broken lock the check fails, without undefined behaviour. Cost: that of the lock.
// Those that spin yield their CPU after a hundred checks: with more threads than CPUs, spinning on
// would keep the lock's holder from running.
#pragma once

#include <assay/primitives/group.hpp>
#include <assay/primitives/lock/futex.hpp>
#include <assay/primitives/lock/priority_lock.hpp>
#include <assay/primitives/pause.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

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

/// Calls `work` in four threads, none of which begins before all have started.
template <class Work>
void in_four_threads(const Work& work) {
  std::vector<std::thread> threads;
  std::atomic<int> missing{4};
  for (std::uint32_t i = 0; i < 4; ++i) {
    threads.emplace_back([&work, &missing, i] {
      --missing;
      while (missing > 0) std::this_thread::yield();
      work(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

/// Checks mutual exclusion by counting increments that get lost. Between reading and writing the
/// counter other threads may run, so that a broken lock loses some.
template <class Lock>
Problem check_exclusion() {
  constexpr int times = 500;
  Lock lock;
  std::atomic<int> counter{0};
  in_four_threads([&](std::uint32_t who) {
    for (int i = 0; i < times; ++i) {
      lock.lock(who);
      const int seen = counter.load(std::memory_order_relaxed);
      if (i % 8 == 0) std::this_thread::yield();
      counter.store(seen + 1, std::memory_order_relaxed);
      lock.unlock();
    }
  });
  if (counter == 4 * times) return {};
  return std::to_string(4 * times - counter) + " of " + std::to_string(4 * times) +
         " guarded increments were lost";
}

/// Checks that readers see both of a writer's two changes or neither.
template <class Lock>
Problem check_readers_see_whole_writes() {
  Lock lock;
  std::array<std::atomic<int>, 2> halves{};
  std::atomic<bool> is_torn{false};
  in_four_threads([&](std::uint32_t who) {
    for (int i = 0; i < 300; ++i) {
      if (who == 0) {
        lock.lock(0);
        ++halves[0];
        std::this_thread::yield();
        ++halves[1];
        lock.unlock();
      } else {
        lock.lock_shared();
        if (halves[0] != halves[1]) is_torn = true;
        std::this_thread::yield();  // a broken lock lets the writer in here
        if (halves[0] != halves[1]) is_torn = true;
        lock.unlock_shared();
      }
    }
  });
  if (is_torn) return "a reader saw half of a write";
  return {};
}

/// Checks that two readers can hold the lock at once: each waits, holding it, until the other holds
/// it too.
template <class Lock>
Problem check_readers_are_inside_together() {
  Lock lock;
  std::atomic<int> inside{0};
  std::atomic<int> met{0};
  const auto read = [&] {
    lock.lock_shared();
    ++inside;
    for (int looks = 0; looks < 100'000 && inside < 2; ++looks) std::this_thread::yield();
    if (inside == 2) ++met;
    lock.unlock_shared();
  };
  std::thread first(read);
  std::thread second(read);
  first.join();
  second.join();
  if (met == 2) return {};
  return "two readers were never inside together";
}

template <class Lock>
Problem check_shared() {
  if (auto problem = check_exclusion<Lock>()) return problem;
  if (auto problem = check_readers_see_whole_writes<Lock>()) return problem;
  return check_readers_are_inside_together<Lock>();
}

inline std::string in_words(const std::vector<std::uint32_t>& order) {
  std::string text;
  for (const std::uint32_t priority : order) text += " " + std::to_string(priority);
  return text;
}

/// Checks that waiters get the lock in the order of their priorities, when they queued up in
/// another order while it was held.
template <class Lock>
Problem check_order_of_priority() {
  Lock lock;
  std::vector<std::uint32_t> order;  // guarded by the lock
  std::vector<std::thread> waiters;
  lock.lock(0);
  for (const std::uint32_t priority : {2U, 7U, 0U, 4U, 7U}) {
    const std::size_t before = lock.waiting();
    waiters.emplace_back([&lock, &order, priority] {
      lock.lock(priority);
      order.push_back(priority);
      lock.unlock();
    });
    while (lock.waiting() == before) std::this_thread::yield();
  }
  lock.unlock();
  for (std::thread& waiter : waiters) waiter.join();
  if (order == std::vector<std::uint32_t>{7, 7, 4, 2, 0}) return {};
  return "priorities were served in the order" + in_words(order);
}

template <class Lock>
Problem check_priority() {
  if (auto problem = check_exclusion<Lock>()) return problem;
  return check_order_of_priority<Lock>();
}

}  // namespace assay::primitives
