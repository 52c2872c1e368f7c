// pthread_create. The threads end when the batch is over.
#include <assay/os/harness/case.hpp>

#include <pthread.h>

#include <mutex>

namespace assay::os {
namespace {

void* wait_for(void* latch) {
  auto* const lock = static_cast<std::mutex*>(latch);
  const std::lock_guard<std::mutex> passed(*lock);
  return nullptr;
}

class PthreadCreate final : public Work {
 public:
  explicit PthreadCreate(const Setting& setting) {
    pthread_attr_init(&kind_);
    if (setting.number('s') > 0) {
      pthread_attr_setstacksize(&kind_, static_cast<std::size_t>(setting.number('s')));
    }
  }
  ~PthreadCreate() override { pthread_attr_destroy(&kind_); }

  [[nodiscard]] Calls most_calls() const override { return 100; }

  Status prepare(Calls calls) override {
    latch_.lock();
    threads_.clear();
    threads_.reserve(static_cast<std::size_t>(calls));
    return {};
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      pthread_t made{};
      if (const int code = pthread_create(&made, &kind_, wait_for, &latch_); code != 0) {
        end_all();
        return Error{"pthread_create: error " + std::to_string(code), "", "ulimit -u may be low",
                     code};
      }
      threads_.push_back(made);
    }
    return {};
  }

  Status undo(Calls /*calls*/) override {
    end_all();
    return {};
  }

 private:
  void end_all() {
    latch_.unlock();
    for (const pthread_t thread : threads_) pthread_join(thread, nullptr);
  }

  pthread_attr_t kind_{};
  std::mutex latch_;
  std::vector<pthread_t> threads_;
};

}  // namespace

Case pthread_create_case() {
  return {.name = "pthread_create",
          .summary = "pthread_create()",
          .options = {number('s', "stack", "0", "bytes of its stack; 0: as usual")},
          .stage = each<PthreadCreate>};
}

}  // namespace assay::os
