// A signal that the process sends to itself, with a handler that does nothing.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/empty_handler.hpp>

#include <unistd.h>

namespace assay::os {
namespace {

class Signal final : public Work {
 public:
  explicit Signal(const EmptyHandler& /*made once*/) : self_(getpid()) {
    EmptyHandler::open_to_it();
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (kill(self_, SIGUSR1) != 0) return failed("kill");
    }
    return {};
  }

 private:
  const pid_t self_;
};

}  // namespace

Case signal_case() {
  return {.name = "signal",
          .summary = "kill() of the process itself, and its handler",
          .stage = sharing<EmptyHandler, Signal>};
}

}  // namespace assay::os
