// fork, execv of a tiny program, waitpid.
#include <assay/os/harness/case.hpp>
#include <assay/system/child_process.hpp>

#include <unistd.h>

#include <array>

namespace assay::os {
namespace {

class Exec final : public Work {
 public:
  explicit Exec(const Setting& setting) : program_(setting.libexec + "/assay-os-child") {}

  Status run(Calls calls) override {
    const std::array<char*, 2> arguments{program_.data(), nullptr};
    for (Calls i = 0; i < calls; ++i) {
      const pid_t child = fork_tied();
      if (child == 0) {
        execv(program_.c_str(), arguments.data());
        _exit(127);
      }
      if (Status done = wait_for_success(child); !done) return done;
    }
    return {};
  }

 private:
  std::string program_;
};

}  // namespace

Case exec_case() {
  return {.name = "exec", .summary = "fork, execv of a tiny program, waitpid", .stage = each<Exec>};
}

}  // namespace assay::os
