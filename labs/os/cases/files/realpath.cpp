// realpath of a directory.
#include <assay/os/harness/case.hpp>

#include <array>
#include <climits>
#include <cstdlib>

namespace assay::os {
namespace {

class Realpath final : public Work {
 public:
  explicit Realpath(const Setting& setting) : path_(setting.text('f')) {}

  Status run(Calls calls) override {
    std::array<char, PATH_MAX> real{};
    for (Calls i = 0; i < calls; ++i) {
      if (realpath(path_.c_str(), real.data()) == nullptr) return failed("realpath " + path_);
    }
    return {};
  }

 private:
  const std::string path_;
};

}  // namespace

Case realpath_case() {
  return {.name = "realpath",
          .summary = "realpath()",
          .options = {text('f', "file", "/", "directory asked about")},
          .stage = each<Realpath>};
}

}  // namespace assay::os
