// gettimeofday: the clock through the vDSO.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <sys/time.h>

namespace assay::os {
namespace {

class Gettimeofday final : public Work {
 public:
  Status run(Calls calls) override {
    timeval time{};
    for (Calls i = 0; i < calls; ++i) {
      gettimeofday(&time, nullptr);
      do_not_optimize(time);
    }
    return {};
  }
};

}  // namespace

Case gettimeofday_case() {
  return {.name = "gettimeofday", .summary = "gettimeofday()", .stage = each<Gettimeofday>};
}

}  // namespace assay::os
