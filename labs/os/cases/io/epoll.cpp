// epoll_wait over -n sockets, of which -r can be read and -w are asked for writing.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/watched_sockets.hpp>

#include <sys/epoll.h>

namespace assay::os {
namespace {

class Epoll final : public Work {
 public:
  static Made<Epoll> make(const WatchedSockets& sockets) {
    FileDescriptor watch(epoll_create1(EPOLL_CLOEXEC));
    if (!watch) return failed("epoll_create1");
    std::int64_t writable = sockets.writable();
    for (const int number : sockets.numbers()) {
      epoll_event event{};
      event.events = writable-- > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN;
      if (epoll_ctl(watch.number(), EPOLL_CTL_ADD, number, &event) != 0) return failed("epoll_ctl");
    }
    return std::make_unique<Epoll>(sockets, std::move(watch));
  }
  Epoll(const WatchedSockets& sockets, FileDescriptor watch)
      : ready_(static_cast<int>(sockets.ready())),
        watch_(std::move(watch)),
        happened_(sockets.numbers().size()) {}

  Status run(Calls calls) override {
    const int room = static_cast<int>(happened_.size());
    for (Calls i = 0; i < calls; ++i) {
      const int ready = epoll_wait(watch_.number(), happened_.data(), room, 0);
      if (ready < 0) return failed("epoll_wait");
      if (ready != ready_) return Error{"epoll_wait found " + std::to_string(ready) + " ready"};
    }
    return {};
  }

 private:
  const int ready_;
  const FileDescriptor watch_;
  std::vector<epoll_event> happened_;
};

}  // namespace

Case epoll_case() {
  return {.name = "epoll",
          .summary = "epoll_wait() without waiting",
          .options = watching_options(),
          .stage = sharing<WatchedSockets, Epoll>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
