// localtime_r of the beginning of 1970, in the time zone of the host.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <ctime>

namespace assay::os {
namespace {

class LocaltimeR final : public Work {
 public:
  Status run(Calls calls) override {
    const std::time_t beginning = 0;
    std::tm parts{};
    for (Calls i = 0; i < calls; ++i)
      do_not_optimize(localtime_r(opaque_value(&beginning), &parts));
    return {};
  }
};

}  // namespace

Case localtime_r_case() {
  return {.name = "localtime_r", .summary = "localtime_r()", .stage = each<LocaltimeR>};
}

}  // namespace assay::os
