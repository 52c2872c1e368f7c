// write of -s bytes, over one part of the file after the other.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/transfer.hpp>

#include <unistd.h>

namespace assay::os {
namespace {

struct WriteCall {
  explicit WriteCall(const Setting& /*setting*/) {}
  ssize_t operator()(int file, char* buffer, std::size_t bytes) const {
    return write(file, buffer, bytes);
  }
  [[nodiscard]] static std::int64_t buffers() { return 1; }
};

}  // namespace

Case write_case() {
  std::vector<Option> options = transfer_options("/dev/null");
  options.push_back(flag('c', "cached", "as libMicro: the buffer is always touched before"));
  return {.name = "write",
          .summary = "write()",
          .options = options,
          .stage = each<Transfer<WriteCall, O_WRONLY, InTurn::yes>>};
}

}  // namespace assay::os
