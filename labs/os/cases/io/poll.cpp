// poll of -n sockets, of which -r can be read and -w are asked for writing.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/watched_sockets.hpp>

#include <poll.h>

namespace assay::os {
namespace {

class Poll final : public Work {
 public:
  explicit Poll(const WatchedSockets& sockets) : ready_(static_cast<int>(sockets.ready())) {
    for (const int number : sockets.numbers()) {
      const bool asks = static_cast<std::int64_t>(asked_.size()) < sockets.writable();
      asked_.push_back({.fd = number,
                        .events = static_cast<short>(asks ? POLLIN | POLLOUT : POLLIN),
                        .revents = 0});
    }
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      const int ready = poll(asked_.data(), asked_.size(), 0);
      if (ready < 0) return failed("poll");
      if (ready != ready_) return Error{"poll found " + std::to_string(ready) + " ready"};
    }
    return {};
  }

 private:
  const int ready_;
  std::vector<pollfd> asked_;
};

}  // namespace

Case poll_case() {
  return {.name = "poll",
          .summary = "poll() without waiting",
          .options = watching_options(),
          .stage = sharing<WatchedSockets, Poll>};
}

}  // namespace assay::os
