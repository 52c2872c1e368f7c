// fcntl F_GETFL of an open file.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>

namespace assay::os {
namespace {

class Fcntl final : public Work {
 public:
  static Made<Fcntl> make(const Setting& setting) {
    return made_of<Fcntl>(open_file(setting.text('f'), O_RDONLY));
  }
  explicit Fcntl(FileDescriptor file) : file_(std::move(file)) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (fcntl(file_.number(), F_GETFL) < 0) return failed("fcntl F_GETFL");
    }
    return {};
  }

 private:
  const FileDescriptor file_;
};

}  // namespace

Case fcntl_case() {
  return {.name = "fcntl",
          .summary = "fcntl(F_GETFL)",
          .options = {text('f', "file", "/dev/null", "file that is open")},
          .stage = each<Fcntl>};
}

}  // namespace assay::os
