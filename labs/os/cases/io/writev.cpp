// writev of -v buffers of -s bytes, over one part of the file after the other.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/transfer.hpp>

#include <sys/uio.h>
#include <unistd.h>

namespace assay::os {
namespace {

class WritevCall {
 public:
  explicit WritevCall(const Setting& setting)
      : parts_(static_cast<std::size_t>(std::max<std::int64_t>(setting.number('v'), 1))) {}

  ssize_t operator()(int file, char* buffer, std::size_t bytes) const {
    if (parts_.front().iov_base != buffer)
      std::fill(parts_.begin(), parts_.end(), iovec{buffer, bytes});
    return writev(file, parts_.data(), static_cast<int>(parts_.size()));
  }
  [[nodiscard]] std::int64_t buffers() const { return static_cast<std::int64_t>(parts_.size()); }

 private:
  // Filled by the first call, when the buffer's address is known.
  mutable std::vector<iovec> parts_;
};

}  // namespace

Case writev_case() {
  std::vector<Option> options = transfer_options("/dev/null");
  options.push_back(number('v', "vector", "10", "buffers in a call"));
  return {.name = "writev",
          .summary = "writev() of -v buffers",
          .options = options,
          .stage = each<Transfer<WritevCall, O_WRONLY, InTurn::yes>>};
}

}  // namespace assay::os
