#include <assay/os/support/io/transfer.hpp>

namespace assay::os {
namespace {

// Most bytes that a batch moves. In longer batches a call would cost more: the data no longer fits
// the caches, and on disk there is more to write back.
constexpr std::int64_t batch_bytes = std::int64_t{1} << 20U;

}  // namespace

Calls calls_within(int file, std::int64_t bytes) {
  struct stat facts {};
  if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode) || bytes < 1) return any_number;
  return std::max<Calls>(std::min<std::int64_t>(facts.st_size, batch_bytes) / bytes, 1);
}

}  // namespace assay::os
