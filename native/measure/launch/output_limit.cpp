#include <assay/measure/launch/output_limit.hpp>

#include <fcntl.h>
#include <sys/stat.h>

#include <cstdint>

namespace assay {

void drop_all_but_the_end(int file, std::int64_t kept_bytes) {
  struct stat now {};
  if (fstat(file, &now) != 0 || !S_ISREG(now.st_mode)) return;
  // Nothing is dropped before the file holds twice kept_bytes, so that most calls end here.
  const std::int64_t taken_bytes = std::int64_t{now.st_blocks} * 512;
  if (taken_bytes < 2 * kept_bytes || now.st_size <= kept_bytes) return;
  constexpr std::int64_t page_bytes = 4096;
  const std::int64_t end = (now.st_size - kept_bytes) / page_bytes * page_bytes;
  fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, end);
}

}  // namespace assay
