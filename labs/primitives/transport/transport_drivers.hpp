// Purpose: ways of waiting for a transport that would block, with one interface. The third,
// Driver::Asio, is in transport_asio.hpp.
//
//   Driver::Epoll::echo(*connection.server, message.size());          // in a thread of its own
//   Driver::Epoll::ask(*connection.client, message, reply, [&] { return ++times < 10; });
//
// `ask` sends `message` and waits for `reply`, of the same size, again and again while `more()` is
// true; `echo` sends back what it gets until the other end is closed. Both return false if the
// stream ended too soon. Thread safety: one thread at each end. Cost: that of the way.
#pragma once

#include <assay/primitives/pause.hpp>
#include <assay/primitives/transport/transport_types.hpp>

#include <sys/epoll.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace assay::primitives {

/// Reads or writes all of `bytes` by calls of `some`; `wait` returns when more may be possible.
/// False if the stream ended.
template <class Some, class Bytes, class Wait>
bool transfer(Bytes bytes, const Some& some, Wait wait) {
  while (!bytes.empty()) {
    const std::ptrdiff_t count = some(bytes);
    if (count == 0) return false;
    if (count == would_block) {
      wait();
    } else {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
  }
  return true;
}

/// The loops that all drivers share: echo() and ask(). `Way` reads and writes whole messages.
template <class Way>
struct Conversation {
  template <class End>
  static bool echo(End& end, std::size_t size) {
    Way way(end);
    std::vector<std::byte> message(size);
    while (way.read(message)) {
      if (!way.write(message)) return false;
    }
    return true;
  }

  template <class End, class More>
  static bool ask(End& end, std::span<const std::byte> message, std::span<std::byte> reply,
                  More more) {
    Way way(end);
    while (more()) {
      if (!way.write(message) || !way.read(reply)) return false;
    }
    return true;
  }
};

template <class End>
class PollingWay {
 public:
  explicit PollingWay(End& end) : end_(end) {}

  bool read(std::span<std::byte> bytes) {
    return transfer(
        bytes, [this](auto part) { return end_.read_some(part); },
        [backoff = Backoff()]() mutable { backoff.wait(); });
  }
  bool write(std::span<const std::byte> bytes) {
    return transfer(
        bytes, [this](auto part) { return end_.write_some(part); },
        [backoff = Backoff()]() mutable { backoff.wait(); });
  }

 private:
  End& end_;
};

/// An epoll instance for one direction of a descriptor. It is edge-triggered, because we always
/// read or write until that would block. Each direction has its own, because a thread that waits to
/// read must not be woken by room to write.
class EdgeWatch {
 public:
  EdgeWatch(int descriptor, std::uint32_t events) {
    epoll_event wanted{};
    wanted.events = events | EPOLLET;
    epoll_ctl(epoll_.number(), EPOLL_CTL_ADD, descriptor, &wanted);
  }
  void wait() const {
    epoll_event seen{};
    epoll_wait(epoll_.number(), &seen, 1, -1);
  }

 private:
  FileDescriptor epoll_{epoll_create1(EPOLL_CLOEXEC)};
};

inline EdgeWatch watch_in(const DescriptorEnd& end) {
  return {end.in(), EPOLLIN};
}
inline EdgeWatch watch_out(const DescriptorEnd& end) {
  return {end.out(), EPOLLOUT};
}
inline EdgeWatch watch_in(const RingEnd& end) {
  return {end.in().data_fd(), EPOLLIN};
}
inline EdgeWatch watch_out(const RingEnd& end) {
  return {end.out().space_fd(), EPOLLIN};
}

inline void wait_to_read(DescriptorEnd& /*end*/, const EdgeWatch& in) {
  in.wait();
}
inline void wait_to_write(DescriptorEnd& /*end*/, const EdgeWatch& out) {
  out.wait();
}
inline void wait_to_read(RingEnd& end, const EdgeWatch& in) {
  if (!end.in().wants_to_read()) return;
  in.wait();
  end.in().woken_to_read();
}
inline void wait_to_write(RingEnd& end, const EdgeWatch& out) {
  if (!end.out().wants_to_write()) return;
  out.wait();
  end.out().woken_to_write();
}

template <class End>
class EpollWay {
 public:
  explicit EpollWay(End& end) : end_(end), in_(watch_in(end)), out_(watch_out(end)) {}

  bool read(std::span<std::byte> bytes) {
    return transfer(
        bytes, [this](auto part) { return end_.read_some(part); },
        [this] { wait_to_read(end_, in_); });
  }
  bool write(std::span<const std::byte> bytes) {
    return transfer(
        bytes, [this](auto part) { return end_.write_some(part); },
        [this] { wait_to_write(end_, out_); });
  }

 private:
  End& end_;
  EdgeWatch in_;
  EdgeWatch out_;
};

struct Driver {
  /// Never sleeps, but yields the CPU in every hundredth check.
  struct Polling {
    static constexpr std::string_view name = "Driver::Polling";
    template <class Transport>
    using Of = Conversation<PollingWay<typename Transport::End>>;
  };
  struct Epoll {
    static constexpr std::string_view name = "Driver::Epoll";
    template <class Transport>
    using Of = Conversation<EpollWay<typename Transport::End>>;
  };
};

}  // namespace assay::primitives
