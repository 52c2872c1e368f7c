// membarrier among the threads of the process.
#include <assay/os/harness/case.hpp>

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace assay::os {
namespace {

int membarrier(int command) {
  return static_cast<int>(syscall(SYS_membarrier, command, 0, 0));
}

class Membarrier final : public Work {
 public:
  static Made<Membarrier> make(const Setting& /*setting*/) {
    if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0) {
      return std::make_unique<Membarrier>();
    }
    return host_lacks(failed("membarrier").what);
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) != 0) return failed("membarrier");
    }
    return {};
  }
};

}  // namespace

Case membarrier_case() {
  return {.name = "membarrier",
          .summary = "membarrier(PRIVATE_EXPEDITED)",
          .stage = each<Membarrier>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
