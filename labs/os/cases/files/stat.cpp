// stat of a file.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <sys/stat.h>

namespace assay::os {
namespace {

class Stat final : public Work {
 public:
  explicit Stat(const Setting& setting) : path_(setting.text('f')) {}

  Status run(Calls calls) override {
    struct stat facts {};
    for (Calls i = 0; i < calls; ++i) {
      if (stat(path_.c_str(), &facts) != 0) return failed("stat " + path_);
    }
    return {};
  }

 private:
  const std::string path_;
};

}  // namespace

Case stat_case() {
  return {.name = "stat",
          .summary = "stat()",
          .options = {text('f', "file", "/dev/null", "file asked about")},
          .stage = each<Stat>};
}

}  // namespace assay::os
