// sigaction of SIGUSR1.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/empty_handler.hpp>

namespace assay::os {
namespace {

class Sigaction final : public Work {
 public:
  explicit Sigaction(const EmptyHandler& /*made once*/) {}

  Status run(Calls calls) override {
    const struct sigaction nothing = EmptyHandler::action();
    struct sigaction before {};
    for (Calls i = 0; i < calls; ++i) {
      if (sigaction(SIGUSR1, &nothing, &before) != 0) return failed("sigaction");
    }
    return {};
  }
};

}  // namespace

Case sigaction_case() {
  return {.name = "sigaction", .summary = "sigaction()", .stage = sharing<EmptyHandler, Sigaction>};
}

}  // namespace assay::os
