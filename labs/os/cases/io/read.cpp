// read of -s bytes, one part of the file after the other.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/transfer.hpp>

#include <unistd.h>

namespace assay::os {
namespace {

struct ReadCall {
  explicit ReadCall(const Setting& /*setting*/) {}
  ssize_t operator()(int file, char* buffer, std::size_t bytes) const {
    return read(file, buffer, bytes);
  }
  [[nodiscard]] static std::int64_t buffers() { return 1; }
};

}  // namespace

Case read_case() {
  std::vector<Option> options = transfer_options("/dev/zero");
  options.push_back(flag('w', "store", "write a byte to each page that was read"));
  return {.name = "read",
          .summary = "read()",
          .options = options,
          .stage = each<Transfer<ReadCall, O_RDONLY, InTurn::yes>>};
}

}  // namespace assay::os
