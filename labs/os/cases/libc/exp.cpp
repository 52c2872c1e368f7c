// exp(100).
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <cmath>

namespace assay::os {
namespace {

class Exp final : public Work {
 public:
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) do_not_optimize(std::exp(opaque_value(100.0)));
    return {};
  }
};

}  // namespace

Case exp_case() {
  return {.name = "exp", .summary = "exp(100)", .stage = each<Exp>};
}

}  // namespace assay::os
