// gettimeofday: the clock through the vDSO.
#include <assay/os/case.hpp>
#include <assay/os/keep.hpp>

#include <sys/time.h>

namespace assay::os {
namespace {

class Gettimeofday final : public Work {
 public:
  Trouble run(Calls calls) override {
    timeval time{};
    for (Calls i = 0; i < calls; ++i) {
      gettimeofday(&time, nullptr);
      keep(time);
    }
    return fine;
  }
};

}  // namespace

Case gettimeofday_case() {
  return {.name = "gettimeofday", .summary = "gettimeofday()", .stage = each<Gettimeofday>};
}

}  // namespace assay::os
