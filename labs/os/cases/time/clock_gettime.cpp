// clock_gettime of one of four clocks. The CPU-time clocks need the kernel, the others do not.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <ctime>

namespace assay::os {
namespace {

std::optional<clockid_t> clock_named(const std::string& name) {
  if (name == "MONOTONIC") return CLOCK_MONOTONIC;
  if (name == "REALTIME") return CLOCK_REALTIME;
  if (name == "PROCESS") return CLOCK_PROCESS_CPUTIME_ID;
  if (name == "THREAD") return CLOCK_THREAD_CPUTIME_ID;
  return std::nullopt;
}

class ClockGettime final : public Work {
 public:
  static Made<ClockGettime> make(const Setting& setting) {
    const auto clock = clock_named(setting.text('c'));
    if (clock) return std::make_unique<ClockGettime>(*clock);
    return Error{"no such clock", "-c " + setting.text('c'),
                 "there are MONOTONIC, PROCESS, REALTIME and THREAD"};
  }
  explicit ClockGettime(clockid_t clock) : clock_(clock) {}

  Status run(Calls calls) override {
    timespec time{};
    for (Calls i = 0; i < calls; ++i) {
      clock_gettime(opaque_value(clock_), &time);
      do_not_optimize(time);
    }
    return {};
  }

 private:
  const clockid_t clock_;
};

}  // namespace

Case clock_gettime_case() {
  return {.name = "clock_gettime",
          .summary = "clock_gettime()",
          .options = {text('c', "clock", "MONOTONIC", "MONOTONIC, PROCESS, REALTIME or THREAD")},
          .stage = each<ClockGettime>};
}

}  // namespace assay::os
