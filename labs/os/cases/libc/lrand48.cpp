// Ten numbers of lrand48; libMicro counts the ten as one call.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <cstdlib>

namespace assay::os {
namespace {

class Lrand48 final : public Work {
 public:
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      for (int each = 0; each < 10; ++each) do_not_optimize(lrand48());
    }
    return {};
  }
};

}  // namespace

Case lrand48_case() {
  return {.name = "lrand48", .summary = "ten numbers of lrand48()", .stage = each<Lrand48>};
}

}  // namespace assay::os
