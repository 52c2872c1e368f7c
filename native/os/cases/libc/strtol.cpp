// strtol of ten digits.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <cstdlib>

namespace assay::os {
namespace {

class Strtol final : public Work {
 public:
  Trouble run(Calls calls) override {
    const char* const digits = "1234567890";
    for (Calls i = 0; i < calls; ++i) keep(std::strtol(hidden(digits), nullptr, 10));
    return fine;
  }
};

}  // namespace

Case strtol_case() {
  return {.name = "strtol", .summary = "strtol() of ten digits", .stage = each<Strtol>};
}

}  // namespace assay::os
