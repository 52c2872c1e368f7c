// system() of a command.
#include <assay/os/harness/case.hpp>

#include <cstdlib>

namespace assay::os {
namespace {

class System final : public Work {
 public:
  explicit System(const Setting& setting) : command_(setting.text('c')) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      // NOLINTNEXTLINE(concurrency-mt-unsafe,cert-env33-c): it is what is measured
      if (const int status = std::system(command_.c_str()); status != 0) {
        return Error{"ended with status " + std::to_string(status), "system: " + command_};
      }
    }
    return {};
  }

 private:
  const std::string command_;
};

}  // namespace

Case system_case() {
  return {.name = "system",
          .summary = "system() of a command",
          .options = {text('c', "command", "A=$$", "what the shell is given")},
          .stage = each<System>};
}

}  // namespace assay::os
