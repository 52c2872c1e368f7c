// time: seconds since 1970, through the vDSO.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <ctime>

namespace assay::os {
namespace {

class Time final : public Work {
 public:
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) do_not_optimize(std::time(nullptr));
    return {};
  }
};

}  // namespace

Case time_case() {
  return {.name = "time", .summary = "time()", .stage = each<Time>};
}

}  // namespace assay::os
