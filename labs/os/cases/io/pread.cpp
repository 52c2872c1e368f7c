// pread of the first -s bytes.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/transfer.hpp>

#include <unistd.h>

namespace assay::os {
namespace {

struct PreadCall {
  explicit PreadCall(const Setting& /*setting*/) {}
  ssize_t operator()(int file, char* buffer, std::size_t bytes) const {
    return pread(file, buffer, bytes, 0);
  }
  [[nodiscard]] static std::int64_t buffers() { return 1; }
};

}  // namespace

Case pread_case() {
  std::vector<Option> options = transfer_options("/dev/zero");
  options.push_back(flag('w', "store", "write a byte to each page that was read"));
  return {.name = "pread",
          .summary = "pread()",
          .options = options,
          .stage = each<Transfer<PreadCall, O_RDONLY, InTurn::no>>};
}

}  // namespace assay::os
