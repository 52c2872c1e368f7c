// pwrite over the first -s bytes.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/transfer.hpp>

#include <unistd.h>

namespace assay::os {
namespace {

struct PwriteCall {
  explicit PwriteCall(const Setting& /*setting*/) {}
  ssize_t operator()(int file, char* buffer, std::size_t bytes) const {
    return pwrite(file, buffer, bytes, 0);
  }
  [[nodiscard]] static std::int64_t buffers() { return 1; }
};

}  // namespace

Case pwrite_case() {
  std::vector<Option> options = transfer_options("/dev/null");
  options.push_back(flag('c', "cached", "as libMicro: the buffer is always touched before"));
  return {.name = "pwrite",
          .summary = "pwrite()",
          .options = options,
          .stage = each<Transfer<PwriteCall, O_WRONLY, InTurn::no>>};
}

}  // namespace assay::os
