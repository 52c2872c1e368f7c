// copy_file_range of the first -s bytes of a file to another.
#include <assay/os/support/io/file_to_file.hpp>

#include <unistd.h>

#include <cerrno>

namespace assay::os {
namespace {

struct CopyFileRange {
  static Result<FileDescriptor> target(const Setting& setting, const WorkerId& worker) {
    const std::string copy = setting.text('f') + ".copy-" + std::to_string(getpid()) + "-" +
                             std::to_string(worker.index);
    auto to = open_file(copy, O_CREAT | O_EXCL | O_RDWR);
    if (to) unlink(copy.c_str());  // it is open, so its name is not needed
    return to;
  }
  static bool moved(int from, int to, std::int64_t bytes) {
    off64_t reading = 0;
    off64_t writing = 0;
    return copy_file_range(from, &reading, to, &writing, static_cast<std::size_t>(bytes), 0) ==
           bytes;
  }
  static Error error() {
    return errno == ENOSYS ? host_lacks("copy_file_range") : failed("copy_file_range");
  }
};

}  // namespace

Case copy_file_range_case() {
  return {.name = "copy_file_range",
          .summary = "copy_file_range()",
          .options = {text('f', "file", "@tmp", "file that is copied"),
                      number('s', "size", "4k", "bytes")},
          .stage = each<FileToFile<CopyFileRange>>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
