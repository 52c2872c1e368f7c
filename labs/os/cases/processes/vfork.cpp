// vfork, _exit in the child, waitpid.
#include <assay/os/harness/case.hpp>
#include <assay/system/child_process.hpp>

#include <unistd.h>

namespace assay::os {
namespace {

// Not inlined: until it exits, the child runs on this function's stack frame.
[[gnu::noinline]] pid_t vfork_and_exit() {
  const pid_t child = vfork();  // NOLINT(clang-analyzer-*): it is what is measured
  if (child == 0) _exit(0);
  return child;
}

class Vfork final : public Work {
 public:
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (Status done = wait_for_success(vfork_and_exit()); !done) return done;
    }
    return {};
  }
};

}  // namespace

Case vfork_case() {
  return {.name = "vfork",
          .summary = "vfork(), _exit() and waitpid()",
          .stage = each<Vfork>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
