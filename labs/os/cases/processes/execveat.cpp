// fork, execveat of a tiny program that is open, waitpid.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>
#include <assay/system/child_process.hpp>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

namespace assay::os {
namespace {

class Execveat final : public Work {
 public:
  static Made<Execveat> make(const Setting& setting) {
    return made_of<Execveat>(open_file(setting.libexec + "/assay-os-child", O_PATH));
  }
  explicit Execveat(FileDescriptor program) : program_(std::move(program)) {}

  Status run(Calls calls) override {
    std::string name = "assay-os-child";
    const std::array<char*, 2> arguments{name.data(), nullptr};
    for (Calls i = 0; i < calls; ++i) {
      const pid_t child = fork_tied();
      if (child == 0) {
        syscall(SYS_execveat, program_.number(), "", arguments.data(), environ, AT_EMPTY_PATH);
        _exit(127);
      }
      if (Status done = wait_for_success(child); !done) return done;
    }
    return {};
  }

 private:
  const FileDescriptor program_;
};

}  // namespace

Case execveat_case() {
  return {.name = "execveat",
          .summary = "fork, execveat() of a tiny program, waitpid",
          .stage = each<Execveat>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
