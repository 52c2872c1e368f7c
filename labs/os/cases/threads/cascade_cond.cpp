// A cascade (lock_cascade.hpp) over locks of a mutex and a condition variable, in shared memory.
#include <assay/os/support/lock_cascade.hpp>
#include <assay/system/shared_pages.hpp>

#include <pthread.h>

namespace assay::os {
namespace {

struct CondLock {
  pthread_mutex_t mutex;
  pthread_cond_t freed;
  int held;
};

class CondLocks {
 public:
  static Made<CondLocks> make(const Setting& setting) {
    const auto count = 2 * static_cast<std::size_t>(setting.workers());
    auto pages = SharedPages::make(count * sizeof(CondLock));
    if (!pages) return pages.error();
    const bool shared = setting.processes > 1 || setting.flag('s');
    for (std::size_t i = 0; i < count; ++i) prepare(pages->as<CondLock>()[i], shared);
    return std::make_unique<CondLocks>(std::move(pages).value(), setting.flag('o'));
  }
  CondLocks(SharedPages pages, bool signal_outside)
      : pages_(std::move(pages)), locks_(pages_.as<CondLock>()), signal_outside_(signal_outside) {}

  [[nodiscard]] bool block(int index) {
    CondLock& lock = locks_[index];
    if (pthread_mutex_lock(&lock.mutex) != 0) return false;
    while (lock.held != 0) pthread_cond_wait(&lock.freed, &lock.mutex);
    lock.held = 1;
    return pthread_mutex_unlock(&lock.mutex) == 0;
  }

  [[nodiscard]] bool unblock(int index) {
    CondLock& lock = locks_[index];
    if (pthread_mutex_lock(&lock.mutex) != 0) return false;
    lock.held = 0;
    if (!signal_outside_) pthread_cond_signal(&lock.freed);
    const bool done = pthread_mutex_unlock(&lock.mutex) == 0;
    if (signal_outside_) pthread_cond_signal(&lock.freed);
    return done;
  }

 private:
  static void prepare(CondLock& lock, bool shared) {
    const int kind = shared ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
    pthread_mutexattr_t mutex_kind;
    pthread_mutexattr_init(&mutex_kind);
    pthread_mutexattr_setpshared(&mutex_kind, kind);
    pthread_mutex_init(&lock.mutex, &mutex_kind);
    pthread_condattr_t cond_kind;
    pthread_condattr_init(&cond_kind);
    pthread_condattr_setpshared(&cond_kind, kind);
    pthread_cond_init(&lock.freed, &cond_kind);
  }

  SharedPages pages_;
  CondLock* locks_;
  const bool signal_outside_;
};

}  // namespace

Case cascade_cond_case() {
  return {.name = "cascade_cond",
          .summary = "workers hand round locks made of condition variables",
          .options = {flag('o', "outside", "signal after the mutex is freed"),
                      flag('s', "shared", "locks for several processes, even if there is one")},
          .stage = sharing<CondLocks, Cascade<CondLocks>>};
}

}  // namespace assay::os
