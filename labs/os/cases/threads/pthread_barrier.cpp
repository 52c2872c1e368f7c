// A barrier at which all workers meet.
#include <assay/os/harness/case.hpp>
#include <assay/system/shared_pages.hpp>

#include <pthread.h>

namespace assay::os {
namespace {

class SharedBarrier {
 public:
  static Made<SharedBarrier> make(const Setting& setting) {
    auto pages = SharedPages::make(sizeof(pthread_barrier_t));
    if (!pages) return pages.error();
    pthread_barrierattr_t kind;
    pthread_barrierattr_init(&kind);
    pthread_barrierattr_setpshared(
        &kind, setting.processes > 1 ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE);
    pthread_barrier_init(pages->as<pthread_barrier_t>(), &kind,
                         static_cast<unsigned>(setting.workers()));
    return std::make_unique<SharedBarrier>(std::move(pages).value());
  }
  explicit SharedBarrier(SharedPages pages) : pages_(std::move(pages)) {}
  [[nodiscard]] pthread_barrier_t* barrier() const { return pages_.as<pthread_barrier_t>(); }

 private:
  SharedPages pages_;
};

class PthreadBarrier final : public Work {
 public:
  explicit PthreadBarrier(const SharedBarrier& shared) : barrier_(shared.barrier()) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      const int result = pthread_barrier_wait(barrier_);
      if (result != 0 && result != PTHREAD_BARRIER_SERIAL_THREAD) {
        return Error{"pthread_barrier_wait failed"};
      }
    }
    return {};
  }

 private:
  pthread_barrier_t* barrier_;
};

}  // namespace

Case pthread_barrier_case() {
  return {.name = "pthread_barrier",
          .summary = "pthread_barrier_wait() of all workers",
          .stage = sharing<SharedBarrier, PthreadBarrier>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
