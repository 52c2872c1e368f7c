// open of a file.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/opening.hpp>

#include <fcntl.h>

namespace assay::os {
namespace {

class OpenFile {
 public:
  explicit OpenFile(const Setting& setting) : path_(setting.text('f')) {}
  int operator()() const { return open(path_.c_str(), O_RDONLY); }
  [[nodiscard]] std::string name() const { return "open " + path_; }

 private:
  std::string path_;
};

}  // namespace

Case open_case() {
  return {.name = "open",
          .summary = "open()",
          .options = {text('f', "file", "/dev/null", "file that is opened")},
          .stage = each<Opening<OpenFile>>};
}

}  // namespace assay::os
