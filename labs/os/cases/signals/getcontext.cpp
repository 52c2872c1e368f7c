// getcontext: the registers and, by a system call, the signal mask.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <ucontext.h>

namespace assay::os {
namespace {

// Not inlined, because for the compiler getcontext may return twice.
[[gnu::noinline]] int context_now() {
  ucontext_t context;
  const int done = getcontext(&context);
  do_not_optimize(context);
  return done;
}

class Getcontext final : public Work {
 public:
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (context_now() != 0) return failed("getcontext");
    }
    return {};
  }
};

}  // namespace

Case getcontext_case() {
  return {.name = "getcontext", .summary = "getcontext()", .stage = each<Getcontext>};
}

}  // namespace assay::os
