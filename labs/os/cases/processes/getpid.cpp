// getpid: the cheapest system call there is. glibc has not cached it since 2.25.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <unistd.h>

namespace assay::os {
namespace {

class Getpid final : public Work {
 public:
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) do_not_optimize(getpid());
    return {};
  }
};

}  // namespace

Case getpid_case() {
  return {.name = "getpid", .summary = "getpid()", .stage = each<Getpid>};
}

}  // namespace assay::os
