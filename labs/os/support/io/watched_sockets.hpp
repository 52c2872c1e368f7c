// Purpose: the sockets that poll, select and epoll wait for: socket pairs, some of them readable.
//
//   .stage = sharing<WatchedSockets, Poll>           // of -n, -r, -w and -x
//   sockets.numbers()                                // as many as -n says
//
// Thread safety: read by any thread once made. Cost: made before measuring.
#pragma once

#include <assay/os/harness/case.hpp>
#include <assay/system/file_descriptor.hpp>

namespace assay::os {

class WatchedSockets {
 public:
  static Made<WatchedSockets> make(const Setting& setting);
  explicit WatchedSockets(const Setting& setting)
      : readable_(setting.number('r')),
        writable_(setting.number('w')),
        highest_(setting.flag('x')) {}

  [[nodiscard]] const std::vector<int>& numbers() const { return numbers_; }
  /// How many sockets, from the first on, the case asks to be writable; all sockets are.
  [[nodiscard]] std::int64_t writable() const { return writable_; }
  /// How many sockets are ready. A socket that is both readable and writable counts once here, as
  /// for poll and epoll, and twice in ready_bits(), as for select.
  [[nodiscard]] std::int64_t ready() const;
  [[nodiscard]] std::int64_t ready_bits() const { return readable_ + writable_; }

 private:
  Status open_pairs(std::int64_t count);
  [[nodiscard]] Status make_readable() const;

  std::int64_t readable_;
  std::int64_t writable_;
  bool highest_;
  std::vector<FileDescriptor> open_;
  std::vector<int> numbers_;
};

std::vector<Option> watching_options();

}  // namespace assay::os
