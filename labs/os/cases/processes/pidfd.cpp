// pidfd_open of the process itself.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/opening.hpp>

#include <sys/syscall.h>

namespace assay::os {
namespace {

class NewPidfd {
 public:
  explicit NewPidfd(const Setting& /*setting*/) : self_(getpid()) {}
  int operator()() const { return static_cast<int>(syscall(SYS_pidfd_open, self_, 0)); }
  [[nodiscard]] std::string name() const { return "pidfd_open"; }

 private:
  pid_t self_;
};

}  // namespace

Case pidfd_case() {
  return {.name = "pidfd",
          .summary = "pidfd_open()",
          .stage = each<Opening<NewPidfd>>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
