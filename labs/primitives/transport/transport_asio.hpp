// Purpose: Driver::Asio: coroutines of Boost.Asio, one io_context in each thread.
//
//   DriverAsio::Of<TransportType::Tcp>::echo(end, size);    // as those of transport_drivers.hpp
//
// Each transport is what an Asio program would use: tcp::socket, local::stream_protocol::socket,
// posix::stream_descriptor; with shared memory its eventfd is awaited. Thread safety: one thread
// at each end. Cost: that of Asio.
#pragma once

#include <assay/primitives/transport/transport_types.hpp>

#include <utility>  // Asio 1.74 forgets it

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

#include <span>
#include <string_view>
#include <vector>

namespace assay::primitives {

namespace asio = boost::asio;

/// A duplicate of a descriptor for Asio, which closes what it is given; the original stays open.
inline int duplicate_of(int descriptor) {
  return dup(descriptor);
}

/// Reads from `In` and writes to `Out`, which may be the same socket.
template <class In, class Out = In&>
class AsioStream {
 public:
  AsioStream(In in, Out out) : in_(std::move(in)), out_(std::forward<Out>(out)) {}
  explicit AsioStream(In socket) : in_(std::move(socket)), out_(in_) {}
  AsioStream(const AsioStream&) = delete;
  AsioStream& operator=(const AsioStream&) = delete;

  asio::awaitable<bool> read(std::span<std::byte> bytes) {
    boost::system::error_code error;
    co_await asio::async_read(in_, asio::buffer(bytes.data(), bytes.size()),
                              asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
  }
  asio::awaitable<bool> write(std::span<const std::byte> bytes) {
    boost::system::error_code error;
    co_await asio::async_write(out_, asio::buffer(bytes.data(), bytes.size()),
                               asio::redirect_error(asio::use_awaitable, error));
    co_return !error;
  }

 private:
  In in_;
  Out out_;
};

class AsioRing {
 public:
  AsioRing(asio::io_context& io, RingEnd& end)
      : end_(end),
        data_(io, duplicate_of(end.in().data_fd())),
        space_(io, duplicate_of(end.out().space_fd())) {}

  asio::awaitable<bool> read(std::span<std::byte> bytes) {
    while (!bytes.empty()) {
      const std::ptrdiff_t count = end_.read_some(bytes);
      if (count == 0) co_return false;
      if (count > 0) {
        bytes = bytes.subspan(static_cast<std::size_t>(count));
      } else if (end_.in().wants_to_read()) {
        co_await data_.async_wait(Wait::wait_read, asio::use_awaitable);
        end_.in().woken_to_read();
      }
    }
    co_return true;
  }
  asio::awaitable<bool> write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const std::ptrdiff_t count = end_.write_some(bytes);
      if (count > 0) {
        bytes = bytes.subspan(static_cast<std::size_t>(count));
      } else if (end_.out().wants_to_write()) {
        co_await space_.async_wait(Wait::wait_read, asio::use_awaitable);
        end_.out().woken_to_write();
      }
    }
    co_return true;
  }

 private:
  using Wait = asio::posix::descriptor_base;
  RingEnd& end_;
  asio::posix::stream_descriptor data_;
  asio::posix::stream_descriptor space_;
};

using AsioPipe = AsioStream<asio::posix::stream_descriptor, asio::posix::stream_descriptor>;
using AsioTcp = AsioStream<asio::ip::tcp::socket>;
using AsioUnixSocket = AsioStream<asio::local::stream_protocol::socket>;

inline AsioTcp stream_of(asio::io_context& io, DescriptorEnd& end, TransportType::Tcp) {
  return AsioTcp(asio::ip::tcp::socket(io, asio::ip::tcp::v4(), duplicate_of(end.in())));
}
inline AsioUnixSocket stream_of(asio::io_context& io, DescriptorEnd& end,
                                TransportType::UnixSocket) {
  return AsioUnixSocket(asio::local::stream_protocol::socket(io, asio::local::stream_protocol(),
                                                             duplicate_of(end.in())));
}
inline AsioPipe stream_of(asio::io_context& io, DescriptorEnd& end, TransportType::Pipe) {
  return {asio::posix::stream_descriptor(io, duplicate_of(end.in())),
          asio::posix::stream_descriptor(io, duplicate_of(end.out()))};
}
inline AsioRing stream_of(asio::io_context& io, RingEnd& end, TransportType::SharedMemory) {
  return {io, end};
}

struct DriverAsio {
  static constexpr std::string_view name = "Driver::Asio";

  template <class Transport>
  struct Of {
    template <class End>
    static bool echo(End& end, std::size_t size) {
      return run(end, [size](auto& stream) { return echo_all(stream, size); });
    }

    template <class End, class More>
    static bool ask(End& end, std::span<const std::byte> message, std::span<std::byte> reply,
                    More more) {
      return run(end, [&](auto& stream) { return ask_all(stream, message, reply, &more); });
    }

   private:
    template <class End, class Talk>
    static bool run(End& end, const Talk& talk) {
      asio::io_context io(1);  // concurrency hint: one thread runs it
      auto stream = stream_of(io, end, Transport());
      bool all_went_well = false;
      asio::co_spawn(io, talk(stream), [&all_went_well](const std::exception_ptr& thrown, bool is) {
        all_went_well = !thrown && is;
      });
      io.run();
      return all_went_well;
    }

    // Results of co_await are stored in variables, because g++ 12 generates code that crashes for
    // `while (co_await stream.read(message))`.
    template <class Stream>
    static asio::awaitable<bool> echo_all(Stream& stream, std::size_t size) {
      std::vector<std::byte> message(size);
      const std::span<std::byte> whole(message);
      for (;;) {
        const bool has_come = co_await stream.read(whole);
        if (!has_come) co_return true;
        const bool has_gone = co_await stream.write(whole);
        if (!has_gone) co_return false;
      }
    }

    template <class Stream, class More>
    static asio::awaitable<bool> ask_all(Stream& stream, std::span<const std::byte> message,
                                         std::span<std::byte> reply, More* more) {
      while ((*more)()) {
        const bool has_gone = co_await stream.write(message);
        if (!has_gone) co_return false;
        const bool has_come = co_await stream.read(reply);
        if (!has_come) co_return false;
      }
      co_return true;
    }
  };
};

}  // namespace assay::primitives
