// openat2 of a file, by the system call.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/opening.hpp>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>

namespace assay::os {
namespace {

class OpenFile2 {
 public:
  explicit OpenFile2(const Setting& setting) : path_(setting.text('f')) {}
  int operator()() const {
    open_how how{};
    how.flags = O_RDONLY;
    return static_cast<int>(syscall(SYS_openat2, AT_FDCWD, path_.c_str(), &how, sizeof how));
  }
  [[nodiscard]] std::string name() const { return "openat2 " + path_; }

 private:
  std::string path_;
};

}  // namespace

Case openat2_case() {
  return {.name = "openat2",
          .summary = "openat2()",
          .options = {text('f', "file", "/dev/null", "file that is opened")},
          .stage = each<Opening<OpenFile2>>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
