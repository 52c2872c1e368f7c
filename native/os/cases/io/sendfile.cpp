// sendfile of the first -s bytes of a file to /dev/null.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>
#include <sys/sendfile.h>

namespace assay::os {
namespace {

class Sendfile final : public Work {
 public:
  static Made<Sendfile> make(const Setting& setting) {
    auto from = open_file(setting.text('f'), O_RDONLY);
    auto to = open_file("/dev/null", O_WRONLY);
    if (!from) return from.error();
    if (!to) return to.error();
    return std::make_unique<Sendfile>(std::move(from).value(), std::move(to).value(),
                                      setting.number('s'));
  }
  Sendfile(FileDescriptor from, FileDescriptor to, std::int64_t bytes)
      : from_(std::move(from)), to_(std::move(to)), bytes_(bytes) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      off_t offset = 0;
      const auto bytes = static_cast<std::size_t>(bytes_);
      if (sendfile(to_.number(), from_.number(), &offset, bytes) != bytes_)
        return failed("sendfile");
    }
    return {};
  }

 private:
  const FileDescriptor from_;
  const FileDescriptor to_;
  const std::int64_t bytes_;
};

}  // namespace

Case sendfile_case() {
  return {.name = "sendfile",
          .summary = "sendfile() to /dev/null",
          .options = {text('f', "file", "@tmp", "file that is sent"),
                      number('s', "size", "4k", "bytes")},
          .stage = each<Sendfile>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
