// times: CPU time of the process and its children.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <sys/times.h>

namespace assay::os {
namespace {

class Times final : public Work {
 public:
  Status run(Calls calls) override {
    tms used{};
    for (Calls i = 0; i < calls; ++i) do_not_optimize(times(&used));
    return {};
  }
};

}  // namespace

Case times_case() {
  return {.name = "times", .summary = "times()", .stage = each<Times>};
}

}  // namespace assay::os
