// A call of a function that does nothing, in another file: what any call costs at least.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>
#include <assay/os/support/empty_function.hpp>

namespace assay::os {
namespace {

class Nop final : public Work {
 public:
  Status run(Calls calls) override {
// Else the jump back to the loop's start is a third of what is measured, and how fast it is depends
// on the loop's address.
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
