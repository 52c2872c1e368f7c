// sigsetjmp with the signal mask, and one siglongjmp back to it.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <csetjmp>

namespace assay::os {
namespace {

// Not inlined, so that no variable of a caller has to survive the jump in a register.
[[gnu::noinline]] int there_and_back() {
  sigjmp_buf place;
  if (const int came_back = sigsetjmp(place, 1); came_back != 0) return came_back;  // NOLINT
  siglongjmp(place, opaque_value(1));                                               // NOLINT
}

class Siglongjmp final : public Work {
 public:
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) do_not_optimize(there_and_back());
    return {};
  }
};

}  // namespace

Case siglongjmp_case() {
  return {
      .name = "siglongjmp", .summary = "sigsetjmp() and siglongjmp()", .stage = each<Siglongjmp>};
}

}  // namespace assay::os
