// Setting the signal mask.
#include <assay/os/harness/case.hpp>

#include <csignal>

namespace assay::os {
namespace {

class Sigprocmask final : public Work {
 public:
  Sigprocmask() { pthread_sigmask(SIG_BLOCK, nullptr, &before_); }
  ~Sigprocmask() override { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  Status run(Calls calls) override {
    sigset_t wanted;
    sigset_t before;
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGUSR2);
    for (Calls i = 0; i < calls; ++i) {
      if (sigprocmask(SIG_SETMASK, &wanted, &before) != 0) return failed("sigprocmask");
    }
    return {};
  }

 private:
  sigset_t before_{};
};

}  // namespace

Case sigprocmask_case() {
  return {.name = "sigprocmask", .summary = "sigprocmask()", .stage = each<Sigprocmask>};
}

}  // namespace assay::os
