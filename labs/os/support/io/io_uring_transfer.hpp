// Purpose: the work of the io_uring cases: one request on a file, submitted and waited for.
//
//   .stage = each<ThroughRing<IORING_OP_READ, O_RDONLY>>
//
// Options: -f the file, -s the bytes. Thread safety: one a worker, with a ring of its own.
#pragma once

#include <assay/os/support/descriptors.hpp>
#include <assay/os/support/io/io_uring.hpp>
#include <assay/os/support/page_buffer.hpp>

#include <memory>
#include <string>
#include <utility>

namespace assay::os {

template <io_uring_op request, int opened_for>
class ThroughRing final : public Work {
 public:
  static Made<ThroughRing> make(const Setting& setting) {
    auto file = open_file(setting.text('f'), opened_for);
    if (!file) return file.error();
    auto ring = IoUring::make();
    if (!ring) return ring.error();
    return std::make_unique<ThroughRing>(std::move(file).value(), std::move(ring).value(),
                                         setting.number('s'));
  }
  ThroughRing(FileDescriptor file, std::unique_ptr<IoUring> ring, std::int64_t bytes)
      : file_(std::move(file)), ring_(std::move(ring)), buffer_(bytes) {}

  Status run(Calls calls) override {
    io_uring_sqe entry{};
    entry.opcode = request;
    entry.fd = file_.number();
    entry.addr = reinterpret_cast<std::uintptr_t>(buffer_.begin());
    entry.len = static_cast<std::uint32_t>(buffer_.size());
    for (Calls i = 0; i < calls; ++i) {
      const int done = ring_->once(entry);
      if (done == static_cast<int>(buffer_.size())) continue;
      return Error{"result " + std::to_string(done), "io_uring", "", done < 0 ? -done : 0};
    }
    return {};
  }

 private:
  const FileDescriptor file_;
  std::unique_ptr<IoUring> ring_;
  PageBuffer buffer_;
};

}  // namespace assay::os
