// strtol of ten digits.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <cstdlib>

namespace assay::os {
namespace {

class Strtol final : public Work {
 public:
  Status run(Calls calls) override {
    const char* const digits = "1234567890";
    for (Calls i = 0; i < calls; ++i)
      do_not_optimize(std::strtol(opaque_value(digits), nullptr, 10));
    return {};
  }
};

}  // namespace

Case strtol_case() {
  return {.name = "strtol", .summary = "strtol() of ten digits", .stage = each<Strtol>};
}

}  // namespace assay::os
