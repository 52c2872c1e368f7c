// getenv of a name that is not there, in an environment of exactly -s names.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <unistd.h>

#include <cstdlib>

namespace assay::os {
namespace {

// Replaces the process's environment as long as this object lives: otherwise the time would depend
// on the environment of the shell that started the program.
class Environment {
 public:
  explicit Environment(const Setting& setting) : before_(environ) {
    for (std::int64_t i = 0; i < setting.number('s'); ++i) {
      texts_.push_back("VAR_" + std::to_string(i) + "=" + std::to_string(i));
    }
    for (std::string& text : texts_) own_.push_back(text.data());
    own_.push_back(nullptr);
    environ = own_.data();
  }
  ~Environment() { environ = before_; }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  char** before_;
  std::vector<std::string> texts_;
  std::vector<char*> own_;
};

class Getenv final : public Work {
 public:
  Status run(Calls calls) override {
    const char* const nobodys = "RUMPELSTILTSKIN";
    for (Calls i = 0; i < calls; ++i) do_not_optimize(std::getenv(opaque_value(nobodys)));
    return {};
  }
};

}  // namespace

Case getenv_case() {
  return {.name = "getenv",
          .summary = "getenv() of a name that is not there",
          .options = {number('s', "size", "100", "names in the environment")},
          .stage = sharing<Environment, Getenv>};
}

}  // namespace assay::os
