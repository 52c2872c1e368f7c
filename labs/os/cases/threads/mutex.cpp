// pthread_mutex_lock and unlock of a mutex that all threads of a process share; with -p, that the
// threads of all processes share.
#include <assay/base/units.hpp>
#include <assay/os/harness/case.hpp>
#include <assay/system/clock.hpp>
#include <assay/system/shared_pages.hpp>

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <thread>

namespace assay::os {
namespace {

// A thread that only sleeps: while it exists, the C library treats the process as one of several
// threads.
class Sleeper {
 public:
  Sleeper()
      : thread_([](const std::stop_token& stop) {
          std::mutex alone;
          std::condition_variable_any never;
          std::unique_lock lock(alone);
          never.wait(lock, stop, [] { return false; });
        }) {}

 private:
  std::jthread thread_;
};

class SharedMutex {
 public:
  static Made<SharedMutex> make(const Setting& setting) {
    const auto bytes = sizeof(pthread_mutex_t) + static_cast<std::size_t>(shift(setting));
    auto pages = SharedPages::make(
        bytes, setting.flag('p') ? SharedPages::With::children : SharedPages::With::threads);
    if (!pages) return pages.error();
    auto* const mutex = reinterpret_cast<pthread_mutex_t*>(pages->as<std::byte>() + shift(setting));
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    if (setting.flag('p')) pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_mutex_init(mutex, &kind);
    return std::make_unique<SharedMutex>(std::move(pages).value(), mutex, setting);
  }
  SharedMutex(SharedPages pages, pthread_mutex_t* one, const Setting& setting)
      : mutex(one),
        hold_ns(setting.number('h') * ns_per_us),
        with_sleeper(setting.flag('t')),
        pages_(std::move(pages)) {}

  pthread_mutex_t* mutex;
  std::int64_t hold_ns;
  bool with_sleeper;

 private:
  // The mutex's offset in the page: -o rounded down to a multiple of eight, for its alignment.
  static std::int64_t shift(const Setting& setting) { return setting.number('o') / 8 * 8; }
  SharedPages pages_;
};

class Mutex final : public Work {
 public:
  explicit Mutex(SharedMutex& shared) : mutex_(shared.mutex), hold_ns_(shared.hold_ns) {
    if (shared.with_sleeper) sleeper_ = std::make_unique<Sleeper>();
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (pthread_mutex_lock(mutex_) != 0) return Error{"pthread_mutex_lock failed"};
      if (hold_ns_ > 0) hold();
      if (pthread_mutex_unlock(mutex_) != 0) return Error{"pthread_mutex_unlock failed"};
    }
    return {};
  }

 private:
  void hold() const {
    const std::int64_t until_ns = now_ns() + hold_ns_;
    while (now_ns() < until_ns) {
    }
  }

  pthread_mutex_t* mutex_;
  const std::int64_t hold_ns_;
  std::unique_ptr<Sleeper> sleeper_;
};

}  // namespace

Case mutex_case() {
  return {.name = "mutex",
          .summary = "lock and unlock of a mutex",
          .options = {flag('t', "sleeper", "with another thread, which sleeps"),
                      flag('p', "shared", "a mutex for several processes"),
                      number('h', "hold", "0", "microseconds it is held"),
                      number('o', "offset", "0", "bytes from a page to the mutex")},
          .stage = sharing<SharedMutex, Mutex>};
}

}  // namespace assay::os
