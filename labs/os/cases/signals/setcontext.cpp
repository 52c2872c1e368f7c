// getcontext, and setcontext back to it once.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <ucontext.h>

namespace assay::os {
namespace {

// Not inlined, so that no variable of a caller has to survive setcontext in a register.
[[gnu::noinline]] int there_and_back() {
  volatile int times = 0;
  ucontext_t context;
  if (getcontext(&context) != 0) return -1;
  const int before = times;
  times = before + 1;
  if (before == 0) setcontext(&context);
  return times;
}

class Setcontext final : public Work {
 public:
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (there_and_back() != 2) return failed("setcontext");
    }
    return {};
  }
};

}  // namespace

Case setcontext_case() {
  return {
      .name = "setcontext", .summary = "getcontext() and setcontext()", .stage = each<Setcontext>};
}

}  // namespace assay::os
