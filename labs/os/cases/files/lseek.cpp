// lseek to the beginning of a file and to byte -s of it.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>
#include <unistd.h>

namespace assay::os {
namespace {

class Lseek final : public Work {
 public:
  static Made<Lseek> make(const Setting& setting) {
    return made_of<Lseek>(open_file(setting.text('f'), O_RDONLY), setting.number('s'));
  }
  Lseek(FileDescriptor file, off_t offset) : file_(std::move(file)), offset_(offset) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (lseek(file_.number(), 0, SEEK_SET) < 0) return failed("lseek");
      if (lseek(file_.number(), offset_, SEEK_SET) < 0) return failed("lseek");
    }
    return {};
  }

 private:
  const FileDescriptor file_;
  const off_t offset_;
};

}  // namespace

Case lseek_case() {
  return {.name = "lseek",
          .summary = "two lseek(): to the beginning and to byte -s",
          .options = {text('f', "file", "/dev/zero", "file that is read"),
                      number('s', "size", "1k", "the byte")},
          .stage = each<Lseek>};
}

}  // namespace assay::os
