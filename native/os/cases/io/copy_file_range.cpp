// copy_file_range of the first -s bytes of a file to another.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace assay::os {
namespace {

class CopyFileRange final : public Work {
 public:
  static Made<CopyFileRange> make(const Setting& setting, const WorkerId& place) {
    auto from = open_file(setting.text('f'), O_RDONLY);
    if (!from) return from.error();
    const std::string copy =
        setting.text('f') + ".copy-" + std::to_string(getpid()) + "-" + std::to_string(place.index);
    auto to = open_file(copy, O_CREAT | O_EXCL | O_RDWR);
    if (!to) return to.error();
    unlink(copy.c_str());  // it is open: nobody else needs its name
    return std::make_unique<CopyFileRange>(std::move(from).value(), std::move(to).value(),
                                           setting.number('s'));
  }
  CopyFileRange(FileDescriptor from, FileDescriptor to, std::int64_t bytes)
      : from_(std::move(from)), to_(std::move(to)), bytes_(bytes) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      off64_t reading = 0;
      off64_t writing = 0;
      const auto bytes = static_cast<std::size_t>(bytes_);
      if (copy_file_range(from_.number(), &reading, to_.number(), &writing, bytes, 0) == bytes_) {
        continue;
      }
      return errno == ENOSYS ? host_lacks("copy_file_range") : failed("copy_file_range");
    }
    return {};
  }

 private:
  const FileDescriptor from_;
  const FileDescriptor to_;
  const std::int64_t bytes_;
};

}  // namespace

Case copy_file_range_case() {
  return {.name = "copy_file_range",
          .summary = "copy_file_range()",
          .options = {text('f', "file", "@tmp", "file that is copied"),
                      number('s', "size", "4k", "bytes")},
          .stage = each<CopyFileRange>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
