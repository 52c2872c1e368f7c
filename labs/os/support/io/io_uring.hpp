// Purpose: an io_uring of one entry at a time, without a library.
//
//   auto ring = IoUring::make();                 // host_lacks() where it is disabled
//   const int got = ring->once(entry);        // submits it, waits for it: bytes, or -errno
//
// Thread safety: one owner. Cost: one io_uring_enter for each once().
#pragma once

#include <assay/os/harness/case.hpp>
#include <assay/system/file_descriptor.hpp>

#include <linux/io_uring.h>

#include <memory>

namespace assay::os {

class IoUring {
 public:
  static Made<IoUring> make();
  ~IoUring();
  IoUring(const IoUring&) = delete;
  IoUring& operator=(const IoUring&) = delete;

  int once(const io_uring_sqe& entry);

 private:
  struct Area {
    void* begin{nullptr};
    std::size_t bytes{0};
  };
  IoUring() = default;
  Status map(const io_uring_params& facts);
  [[nodiscard]] bool map_area(Area& area, std::size_t bytes, std::uint64_t what) const;

  FileDescriptor ring_;
  Area queues_;
  Area entries_;
  unsigned* sent_tail_{nullptr};
  unsigned* sent_order_{nullptr};
  unsigned sent_mask_{0};
  unsigned* done_head_{nullptr};
  unsigned* done_tail_{nullptr};
  unsigned done_mask_{0};
  io_uring_cqe* done_{nullptr};
};

}  // namespace assay::os
