// Purpose: checks a lock before it is timed: only one thread holds it at a time, and all get it in
// the end; readers may hold it together; the waiter of the highest priority gets it first.
//
//   if (const Problem problem = check_exclusion<LockType::Spin>()) ...
//
// Thread safety: they start threads of their own. What is guarded is atomic, so that with a broken
// lock the check fails, without undefined behaviour. Cost: none to measurements.
#pragma once

#include <assay/primitives/lock/priority_lock.hpp>

#include <assay/primitives/group.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace assay::primitives {

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
