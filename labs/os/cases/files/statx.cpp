// statx of a file.
#include <assay/os/harness/case.hpp>

#include <fcntl.h>
#include <sys/stat.h>

namespace assay::os {
namespace {

class Statx final : public Work {
 public:
  explicit Statx(const Setting& setting) : path_(setting.text('f')) {}

  Status run(Calls calls) override {
    struct statx facts {};
    for (Calls i = 0; i < calls; ++i) {
      if (statx(AT_FDCWD, path_.c_str(), 0, STATX_BASIC_STATS, &facts) != 0) {
        return failed("statx " + path_);
      }
    }
    return {};
  }

 private:
  const std::string path_;
};

}  // namespace

Case statx_case() {
  return {.name = "statx",
          .summary = "statx()",
          .options = {text('f', "file", "/dev/null", "file asked about")},
          .stage = each<Statx>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
