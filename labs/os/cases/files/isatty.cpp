// isatty of a pseudo terminal that the case opens, of a file, or of a descriptor nobody opened.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace assay::os {
namespace {

constexpr int nobodys = 1 << 24;

Result<FileDescriptor> pseudo_terminal() {
  FileDescriptor terminal(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (terminal) return terminal;
  return host_lacks(failed("a pseudo terminal (/dev/ptmx)").what);
}

class Isatty final : public Work {
 public:
  static Made<Isatty> make(const Setting& setting) {
    if (setting.flag('b')) return std::make_unique<Isatty>(FileDescriptor());
    const std::string& path = setting.text('f');
    return made_of<Isatty>(path == "pty" ? pseudo_terminal()
                                         : open_file(path, O_RDONLY | O_NOCTTY));
  }
  explicit Isatty(FileDescriptor file)
      : file_(std::move(file)), number_(file_ ? file_.number() : nobodys) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) do_not_optimize(isatty(number_));
    return {};
  }

 private:
  const FileDescriptor file_;
  const int number_;
};

}  // namespace

Case isatty_case() {
  return {.name = "isatty",
          .summary = "isatty()",
          .options = {text('f', "file", "pty", "file asked about; pty: a pseudo terminal"),
                      flag('b', "bad", "a descriptor nobody opened")},
          .stage = each<Isatty>};
}

}  // namespace assay::os
