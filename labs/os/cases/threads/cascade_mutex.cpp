// A cascade (lock_cascade.hpp) over mutexes in shared memory.
#include <assay/os/support/lock_cascade.hpp>
#include <assay/system/shared_pages.hpp>

#include <pthread.h>

namespace assay::os {
namespace {

class MutexLocks {
 public:
  static Made<MutexLocks> make(const Setting& setting) {
    const auto count = 2 * static_cast<std::size_t>(setting.workers());
    auto pages = SharedPages::make(count * sizeof(pthread_mutex_t));
    if (!pages) return pages.error();
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    const bool shared = setting.processes > 1 || setting.flag('s');
    pthread_mutexattr_setpshared(&kind, shared ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE);
    auto* const locks = pages->as<pthread_mutex_t>();
    for (std::size_t i = 0; i < count; ++i) pthread_mutex_init(&locks[i], &kind);
    return std::make_unique<MutexLocks>(std::move(pages).value());
  }
  explicit MutexLocks(SharedPages pages)
      : pages_(std::move(pages)), locks_(pages_.as<pthread_mutex_t>()) {}

  [[nodiscard]] bool block(int index) { return pthread_mutex_lock(&locks_[index]) == 0; }
  [[nodiscard]] bool unblock(int index) { return pthread_mutex_unlock(&locks_[index]) == 0; }

 private:
  SharedPages pages_;
  pthread_mutex_t* locks_;
};

}  // namespace

Case cascade_mutex_case() {
  return {.name = "cascade_mutex",
          .summary = "workers hand round mutexes",
          .options = {flag('s', "shared", "mutexes for several processes, even if there is one")},
          .stage = sharing<MutexLocks, Cascade<MutexLocks>>};
}

}  // namespace assay::os
