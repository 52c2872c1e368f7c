// setjmp, and one longjmp back to it. (libMicro's loop never jumps, because its condition is never
// true: it times setjmp alone.)
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <csetjmp>

namespace assay::os {
namespace {

// Not inlined, so that no variable of a caller has to survive the jump in a register.
[[gnu::noinline]] int there_and_back() {
  std::jmp_buf place;
  if (const int came_back = setjmp(place); came_back != 0) return came_back;  // NOLINT
  std::longjmp(place, opaque_value(1));                                       // NOLINT
}

class Longjmp final : public Work {
 public:
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) do_not_optimize(there_and_back());
    return {};
  }
};

}  // namespace

Case longjmp_case() {
  return {.name = "longjmp", .summary = "setjmp() and longjmp()", .stage = each<Longjmp>};
}

}  // namespace assay::os
