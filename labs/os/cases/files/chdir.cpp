// chdir to each of the directories named, and with -g getcwd in each.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>
#include <assay/system/file_descriptor.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace assay::os {
namespace {

class Chdir final : public Work {
 public:
  explicit Chdir(const Setting& setting)
      : folders_(setting.operands.empty() ? std::vector<std::string>{"/"} : setting.operands),
        asks_(setting.flag('g')),
        before_(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)) {}

  ~Chdir() override {
    // Later code must not run in another directory.
    if (before_ && fchdir(before_.number()) != 0) std::abort();
  }

  Status run(Calls calls) override {
    std::array<char, 4096> where{};
    for (Calls i = 0; i < calls; ++i) {
      for (const std::string& folder : folders_) {
        if (chdir(folder.c_str()) != 0) return failed("chdir " + folder);
        if (asks_ && getcwd(where.data(), where.size()) == nullptr) return failed("getcwd");
      }
    }
    return {};
  }

 private:
  const std::vector<std::string> folders_;
  const bool asks_;
  const FileDescriptor before_;  // the directory to return to
};

}  // namespace

Case chdir_case() {
  return {.name = "chdir",
          .summary = "chdir() to each directory named (default /)",
          .options = {flag('g', "getcwd", "getcwd() in each, too")},
          .stage = each<Chdir>};
}

}  // namespace assay::os
