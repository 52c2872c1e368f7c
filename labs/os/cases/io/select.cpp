// select over -n sockets, of which -r can be read and -w are asked for writing.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/watched_sockets.hpp>

#include <sys/select.h>

#include <algorithm>

namespace assay::os {
namespace {

class Select final : public Work {
 public:
  static Made<Select> make(const WatchedSockets& sockets) {
    const auto& numbers = sockets.numbers();
    const int highest = *std::max_element(numbers.begin(), numbers.end());
    if (highest < FD_SETSIZE) return std::make_unique<Select>(sockets, highest);
    return host_lacks("select() takes descriptors below " + std::to_string(FD_SETSIZE));
  }
  Select(const WatchedSockets& sockets, int highest)
      : ready_(static_cast<int>(sockets.ready_bits())),
        highest_(highest),
        writes_(sockets.writable() > 0) {
    FD_ZERO(&reading_);
    FD_ZERO(&writing_);
    std::int64_t writable = sockets.writable();
    for (const int number : sockets.numbers()) {
      FD_SET(number, &reading_);
      if (writable-- > 0) FD_SET(number, &writing_);
    }
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      fd_set reading = reading_;
      fd_set writing = writing_;
      timeval at_once{};
      const int ready =
          select(highest_ + 1, &reading, writes_ ? &writing : nullptr, nullptr, &at_once);
      if (ready < 0) return failed("select");
      if (ready != ready_) return Error{"select found " + std::to_string(ready) + " ready"};
    }
    return {};
  }

 private:
  const int ready_;
  const int highest_;
  const bool writes_;
  fd_set reading_{};
  fd_set writing_{};
};

}  // namespace

Case select_case() {
  return {.name = "select",
          .summary = "select() without waiting",
          .options = watching_options(),
          .stage = sharing<WatchedSockets, Select>};
}

}  // namespace assay::os
