#include <assay/primitives/transport/transport_types.hpp>

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <utility>

namespace assay::primitives {
namespace {

Error refused(const char* call) {
  const int number = errno;
  return {.what = std::string(call) + ": " + std::strerror(number),
          .where = "transport",
          .hint = "the host may forbid it",
          .errno_value = number};
}

std::ptrdiff_t byte_count(ssize_t count) {
  if (count >= 0) return count;
  return errno == EAGAIN || errno == EINTR ? would_block : 0;  // 0: any other error ends the stream
}

template <class End>
Connection<End> connection_of(std::unique_ptr<End> client, std::unique_ptr<End> server) {
  return {.client = std::move(client), .server = std::move(server)};
}

sockaddr* as_address(sockaddr_in& address) {
  return static_cast<sockaddr*>(static_cast<void*>(&address));
}

/// Turns off Nagle's algorithm and makes a socket non-blocking; false if the host does not allow
/// it.
bool prepare(const FileDescriptor& socket) {
  const int on = 1;
  return setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
         fcntl(socket.number(), F_SETFL, O_NONBLOCK) == 0;
}

}  // namespace

std::ptrdiff_t DescriptorEnd::read_some(std::span<std::byte> bytes) {
  return byte_count(read(in(), bytes.data(), bytes.size()));
}

/// A pipe needs write(); a socket uses send() with MSG_NOSIGNAL, so that writing to a closed one
/// raises no SIGPIPE. For pipes, Pipe::connect() makes the process ignore that signal.
std::ptrdiff_t DescriptorEnd::write_some(std::span<const std::byte> bytes) {
  if (out_) return byte_count(write(out_.number(), bytes.data(), bytes.size()));
  return byte_count(send(in_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

Result<Connection<DescriptorEnd>> TransportType::Tcp::connect() {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  const FileDescriptor listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener || bind(listener.number(), as_address(address), length) != 0 ||
      listen(listener.number(), 1) != 0 ||
      getsockname(listener.number(), as_address(address), &length) != 0) {
    return refused("listening on 127.0.0.1");
  }
  FileDescriptor client(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!client || ::connect(client.number(), as_address(address), length) != 0) {
    return refused("connecting to 127.0.0.1");
  }
  FileDescriptor server(accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!server || !prepare(client) || !prepare(server)) return refused("accepting on 127.0.0.1");
  return connection_of(std::make_unique<End>(std::move(client)),
                       std::make_unique<End>(std::move(server)));
}

Result<Connection<DescriptorEnd>> TransportType::UnixSocket::connect() {
  std::array<int, 2> pair{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair.data()) != 0) {
    return refused("socketpair");
  }
  return connection_of(std::make_unique<End>(FileDescriptor(pair[0])),
                       std::make_unique<End>(FileDescriptor(pair[1])));
}

Result<Connection<DescriptorEnd>> TransportType::Pipe::connect() {
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> there{};
  std::array<int, 2> back{};
  if (pipe2(there.data(), O_CLOEXEC | O_NONBLOCK) != 0) return refused("pipe2");
  FileDescriptor there_out(there[1]);
  FileDescriptor there_in(there[0]);
  if (pipe2(back.data(), O_CLOEXEC | O_NONBLOCK) != 0) return refused("pipe2");
  return connection_of(std::make_unique<End>(FileDescriptor(back[0]), std::move(there_out)),
                       std::make_unique<End>(std::move(there_in), FileDescriptor(back[1])));
}

Result<Connection<RingEnd>> TransportType::SharedMemory::connect() {
  auto there = std::make_shared<SharedRingBuffer>();
  auto back = std::make_shared<SharedRingBuffer>();
  if (!there->ok() || !back->ok()) return refused("shared memory with eventfd");
  return connection_of(std::make_unique<End>(back, there), std::make_unique<End>(there, back));
}

}  // namespace assay::primitives
