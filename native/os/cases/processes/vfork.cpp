// vfork, _exit in the child, waitpid.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/child.hpp>

#include <unistd.h>

namespace assay::os {
namespace {

// A frame of its own: the child runs in it before the parent goes on.
[[gnu::noinline]] pid_t vfork_and_exit() {
  const pid_t child = vfork();  // NOLINT(clang-analyzer-*): it is what is measured
  if (child == 0) _exit(0);
  return child;
}

class Vfork final : public Work {
 public:
  Trouble run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (auto trouble = wait_for_success(vfork_and_exit())) return trouble;
    }
    return fine;
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
