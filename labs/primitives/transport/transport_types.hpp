// Purpose: the transports that the `transport` group compares: a stream of bytes each way
// between two ends, none of which blocks.
//
//   assay::Result<Connection<TransportType::Tcp>> made = TransportType::Tcp::connect();
//   made->client->write_some(bytes);   // how many, or would_block
//   made->server->read_some(bytes);    // how many, would_block, or 0: the other end is closed
//
// Thread safety: one thread at each end. Cost: as the transport's own.
#pragma once

#include <assay/primitives/transport/shared_ring_buffer.hpp>

#include <assay/base/result.hpp>
#include <assay/system/file_descriptor.hpp>

#include <memory>
#include <string_view>

namespace assay::primitives {

template <class End>
struct Connection {
  std::unique_ptr<End> client;
  std::unique_ptr<End> server;
};

/// An end of a connection: a descriptor of each of two pipes, one for each direction, or a socket
/// for both.
class DescriptorEnd {
 public:
  explicit DescriptorEnd(FileDescriptor socket) : in_(std::move(socket)) {}
  DescriptorEnd(FileDescriptor in, FileDescriptor out) : in_(std::move(in)), out_(std::move(out)) {}

  std::ptrdiff_t read_some(std::span<std::byte> bytes);
  std::ptrdiff_t write_some(std::span<const std::byte> bytes);

  [[nodiscard]] int in() const { return in_.number(); }
  [[nodiscard]] int out() const { return out_ ? out_.number() : in_.number(); }

 private:
  FileDescriptor in_;
  FileDescriptor out_;
};

/// An end of a connection over two ring buffers, one for each direction. Its destructor closes
/// both.
class RingEnd {
 public:
  RingEnd(std::shared_ptr<SharedRingBuffer> in, std::shared_ptr<SharedRingBuffer> out)
      : in_(std::move(in)), out_(std::move(out)) {}
  RingEnd(const RingEnd&) = delete;
  RingEnd& operator=(const RingEnd&) = delete;
  ~RingEnd() {
    out_->close();
    in_->stop_reading();
  }

  std::ptrdiff_t read_some(std::span<std::byte> bytes) { return in_->read_some(bytes); }
  std::ptrdiff_t write_some(std::span<const std::byte> bytes) { return out_->write_some(bytes); }

  [[nodiscard]] SharedRingBuffer& in() const { return *in_; }
  [[nodiscard]] SharedRingBuffer& out() const { return *out_; }

 private:
  std::shared_ptr<SharedRingBuffer> in_;
  std::shared_ptr<SharedRingBuffer> out_;
};

struct TransportType {
  /// TCP over loopback, on a port that the kernel chooses, without Nagle's delay.
  struct Tcp {
    static constexpr std::string_view name = "TransportType::Tcp";
    using End = DescriptorEnd;
    static Result<Connection<End>> connect();
  };
  struct UnixSocket {
    static constexpr std::string_view name = "TransportType::UnixSocket";
    using End = DescriptorEnd;
    static Result<Connection<End>> connect();
  };
  struct Pipe {
    static constexpr std::string_view name = "TransportType::Pipe";
    using End = DescriptorEnd;
    static Result<Connection<End>> connect();
  };
  struct SharedMemory {
    static constexpr std::string_view name = "TransportType::SharedMemory";
    using End = RingEnd;
    static Result<Connection<End>> connect();
  };
};

}  // namespace assay::primitives
