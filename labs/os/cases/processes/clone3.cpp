// clone3 as fork, _exit in the child, waitpid.
#include <assay/os/harness/case.hpp>
#include <assay/system/child_process.hpp>

#include <linux/sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace assay::os {
namespace {

pid_t clone3_as_fork() {
  clone_args how{};
  how.exit_signal = SIGCHLD;
  return static_cast<pid_t>(syscall(SYS_clone3, &how, sizeof how));
}

class Clone3 final : public Work {
 public:
  static Made<Clone3> make(const Setting& /*setting*/) {
    if (syscall(SYS_clone3, nullptr, 0) == 0 || errno != ENOSYS) return std::make_unique<Clone3>();
    return host_lacks("clone3 is not there, or a seccomp filter hides it");
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      const pid_t child = clone3_as_fork();
      if (child == 0) _exit(0);
      if (Status done = wait_for_success(child); !done) return done;
    }
    return {};
  }
};

}  // namespace

Case clone3_case() {
  return {.name = "clone3",
          .summary = "clone3(), _exit() and waitpid()",
          .stage = each<Clone3>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
