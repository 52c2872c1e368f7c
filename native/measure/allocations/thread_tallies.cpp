#include <assay/base/plain_mutex.hpp>
#include <assay/measure/allocations/thread_tallies.hpp>

#include <pthread.h>

#include <mutex>

namespace assay::thread_tallies {

constinit thread_local ThreadTally mine{};

namespace {

// The one list of all threads' counters. Everything here must work before main,
// during thread exit and inside malloc, so it allocates nothing and is never destroyed.
struct Registry {
  PlainMutex mutex;
  ThreadTally* first{nullptr};
  ThreadTally ended{};  // guarded by mutex; late events of ended threads too
  pthread_key_t exit_key{};
};

constinit Registry registry;
static_assert(std::is_trivially_destructible_v<ThreadTally>);

void add(ThreadTally& tally, const AllocationTally& event) noexcept {
  tally.allocs.add(event.allocs);
  tally.reallocs.add(event.reallocs);
  tally.moved.add(event.moved);
  tally.frees.add(event.frees);
  tally.requested.add(event.requested_bytes);
  tally.usable.add(event.usable_bytes);
  tally.freed.add(event.usable_freed_bytes);
}

AllocationTally read(const ThreadTally& tally) noexcept {
  return {.allocs = tally.allocs.read(),
          .reallocs = tally.reallocs.read(),
          .moved = tally.moved.read(),
          .frees = tally.frees.read(),
          .requested_bytes = tally.requested.read(),
          .usable_bytes = tally.usable.read(),
          .usable_freed_bytes = tally.freed.read()};
}

void fold_and_unlink(ThreadTally& tally) noexcept {
  add(registry.ended, read(tally));
  (tally.previous != nullptr ? tally.previous->next : registry.first) = tally.next;
  if (tally.next != nullptr) tally.next->previous = tally.previous;
}

void on_thread_exit(void* /*key value*/) noexcept {
  const std::lock_guard lock(registry.mutex);
  fold_and_unlink(mine);
  mine.stage = ThreadState::ended;
}

// Fork handlers. A forked child has one thread: the other threads' counts are added to the totals,
// and a lock that one of them held at the fork must not stay taken for ever.
void before_fork() noexcept {
  registry.mutex.lock();
}
void after_fork_in_parent() noexcept {
  registry.mutex.unlock();
}
void after_fork_in_child() noexcept {
  for (ThreadTally* tally = registry.first; tally != nullptr;) {
    ThreadTally* const next = tally->next;
    if (tally != &mine) fold_and_unlink(*tally);
    tally = next;
  }
  registry.mutex.unlock();
}

void set_up_once() noexcept {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, [] {
    pthread_key_create(&registry.exit_key, on_thread_exit);
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  });
}

void list_this_thread() noexcept {
  // Set first: the calls below may allocate and so call this again.
  mine.stage = ThreadState::listed;
  {
    const std::lock_guard lock(registry.mutex);
    mine.next = registry.first;
    if (registry.first != nullptr) registry.first->previous = &mine;
    registry.first = &mine;
  }
  set_up_once();
  pthread_setspecific(registry.exit_key, &mine);
}

}  // namespace

void add_rare_event(const AllocationTally& event) noexcept {
  if (mine.stage == ThreadState::unlisted) list_this_thread();
  if (mine.stage == ThreadState::listed) return add(mine, event);
  const std::lock_guard lock(registry.mutex);
  add(registry.ended, event);
}

void reallocated(const AllocationTally& event) noexcept {
  add_rare_event(event);
}

AllocationTally of_this_thread() noexcept {
  return read(mine);
}

AllocationTally of_all_threads() noexcept {
  set_up_once();  // a fork may come while we hold the lock, even before anything was counted
  const std::lock_guard lock(registry.mutex);
  AllocationTally sum = read(registry.ended);
  for (const ThreadTally* tally = registry.first; tally != nullptr; tally = tally->next) {
    sum = sum + read(*tally);
  }
  return sum;
}

}  // namespace assay::thread_tallies
