// sendfile of the first -s bytes of a file to /dev/null.
#include <assay/os/support/io/file_to_file.hpp>

#include <sys/sendfile.h>

namespace assay::os {
namespace {

struct Sendfile {
  static Result<FileDescriptor> target(const Setting& /*setting*/, const WorkerId& /*worker*/) {
    return open_file("/dev/null", O_WRONLY);
  }
  static bool moved(int from, int to, std::int64_t bytes) {
    off_t offset = 0;
    return sendfile(to, from, &offset, static_cast<std::size_t>(bytes)) == bytes;
  }
  static Error error() { return failed("sendfile"); }
};

}  // namespace

Case sendfile_case() {
  return {.name = "sendfile",
          .summary = "sendfile() to /dev/null",
          .options = {text('f', "file", "@tmp", "file that is sent"),
                      number('s', "size", "4k", "bytes")},
          .stage = each<FileToFile<Sendfile>>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
