// getrusage of the process.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <sys/resource.h>

namespace assay::os {
namespace {

class Getrusage final : public Work {
 public:
  Status run(Calls calls) override {
    rusage usage{};
    for (Calls i = 0; i < calls; ++i) {
      if (getrusage(RUSAGE_SELF, &usage) != 0) return failed("getrusage");
    }
    return {};
  }
};

}  // namespace

Case getrusage_case() {
  return {.name = "getrusage", .summary = "getrusage(RUSAGE_SELF)", .stage = each<Getrusage>};
}

}  // namespace assay::os
