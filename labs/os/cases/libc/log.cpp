// Ten logarithms; libMicro counts the ten as one call.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <cmath>

namespace assay::os {
namespace {

class Log final : public Work {
 public:
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      for (int each = 0; each < 10; ++each) do_not_optimize(std::log(opaque_value(0.01)));
    }
    return {};
  }
};

}  // namespace

Case log_case() {
  return {.name = "log", .summary = "ten logarithms", .stage = each<Log>};
}

}  // namespace assay::os
