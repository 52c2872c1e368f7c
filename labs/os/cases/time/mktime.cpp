// mktime of a fixed time, in the time zone of the host.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <ctime>

namespace assay::os {
namespace {

class Mktime final : public Work {
 public:
  Mktime() {
    const std::time_t one_day = 1'000'000'000;
    localtime_r(&one_day, &parts_);
  }
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      std::tm parts = parts_;
      do_not_optimize(std::mktime(opaque_value(&parts)));
    }
    return {};
  }

 private:
  std::tm parts_{};
};

}  // namespace

Case mktime_case() {
  return {.name = "mktime", .summary = "mktime()", .stage = each<Mktime>};
}

}  // namespace assay::os
