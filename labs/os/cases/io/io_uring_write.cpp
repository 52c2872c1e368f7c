// A write of the first -s bytes of a file through an io_uring: submitted and waited for.
#include <assay/os/support/io/io_uring_transfer.hpp>

#include <fcntl.h>

namespace assay::os {

Case io_uring_write_case() {
  return {.name = "io_uring_write",
          .summary = "write() through an io_uring",
          .options = {text('f', "file", "/dev/null", "file"), number('s', "size", "1k", "bytes")},
          .stage = each<ThroughRing<IORING_OP_WRITE, O_WRONLY>>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
