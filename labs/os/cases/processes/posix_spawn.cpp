// posix_spawn of a tiny program, and waitpid.
#include <assay/os/harness/case.hpp>
#include <assay/system/child_process.hpp>

#include <spawn.h>
#include <unistd.h>

#include <array>

namespace assay::os {
namespace {

class PosixSpawn final : public Work {
 public:
  explicit PosixSpawn(const Setting& setting) : program_(setting.libexec + "/assay-os-child") {}

  Status run(Calls calls) override {
    const std::array<char*, 2> arguments{program_.data(), nullptr};
    for (Calls i = 0; i < calls; ++i) {
      pid_t child = -1;
      const int code =
          posix_spawn(&child, program_.c_str(), nullptr, nullptr, arguments.data(), environ);
      if (code != 0)
        return Error{"error " + std::to_string(code), "posix_spawn " + program_, "", code};
      if (Status done = wait_for_success(child); !done) return done;
    }
    return {};
  }

 private:
  std::string program_;
};

}  // namespace

Case posix_spawn_case() {
  return {.name = "posix_spawn",
          .summary = "posix_spawn() of a tiny program, and waitpid()",
          .stage = each<PosixSpawn>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
