// A call of a function that does nothing, defined in another file: the least that any call costs.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>
#include <assay/os/support/empty_function.hpp>

namespace assay::os {
namespace {

class Nop final : public Work {
 public:
  Status run(Calls calls) override {
// Unrolled: otherwise the jump back to the loop's start is a third of the time measured, and how
// long the jump takes depends on the loop's address.
#pragma GCC unroll 16
    for (Calls i = 0; i < calls; ++i) do_not_optimize(empty_function());
    return {};
  }
};

}  // namespace

Case nop_case() {
  return {.name = "nop", .summary = "call of an empty function", .stage = each<Nop>};
}

}  // namespace assay::os
