#include <assay/os/support/io/pipe_ends.hpp>

#include <assay/os/support/descriptors.hpp>
#include <assay/os/support/io/connections.hpp>
#include <assay/os/support/io/loopback.hpp>

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

namespace assay::os {
namespace {

using Shared = std::shared_ptr<FileDescriptor>;
using Pair = std::array<Shared, 2>;  // [0] reads what [1] writes

Shared share(FileDescriptor one) {
  return std::make_shared<FileDescriptor>(std::move(one));
}

Result<Pair> pipe_pair() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return failed("pipe2");
  return Pair{share(FileDescriptor(ends[0])), share(FileDescriptor(ends[1]))};
}

// The FIFO is first opened for reading and writing: opening one end alone would block until the
// other is opened.
Result<Pair> fifo_pair(const std::string& path) {
  if (mkfifo(path.c_str(), 0600) != 0) return failed("mkfifo " + path);
  const auto both = open_file(path, O_RDWR);
  auto in = open_file(path, O_RDONLY);
  auto out = open_file(path, O_WRONLY);
  unlink(path.c_str());
  if (!both) return both.error();
  if (!in) return in.error();
  if (!out) return out.error();
  return Pair{share(std::move(in).value()), share(std::move(out).value())};
}

PipeEnds from_pairs(const Pair& to_here, const Pair& to_there) {
  return {.here = {.in = to_here[0], .out = to_there[1]},
          .there = {.in = to_there[0], .out = to_here[1]}};
}

PipeEnds from_sockets(const Shared& here, const Shared& there) {
  return {.here = {.in = here, .out = here}, .there = {.in = there, .out = there}};
}

Result<PipeEnds> over_socketpair() {
  std::array<int, 2> ends{};
  if (socketpair(PF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return failed("socketpair");
  }
  return from_sockets(share(FileDescriptor(ends[0])), share(FileDescriptor(ends[1])));
}

Result<PipeEnds> over_tcp() {
  auto listener = Listener::make(1);
  if (!listener) return listener.error();
  auto client = listener->connect();
  if (!client) return client.error();
  auto server = listener->accept();
  if (!server) return server.error();
  const int yes = 1;
  for (const int one : {client->number(), server->number()}) {
    if (setsockopt(one, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0) {
      return failed("setsockopt TCP_NODELAY");
    }
  }
  reset_when_closed(*client);
  return from_sockets(share(std::move(client).value()), share(std::move(server).value()));
}

}  // namespace

Result<Transport> transport_named(const std::string& name) {
  if (name == "pipe") return Transport::pipe;
  if (name == "fifo") return Transport::fifo;
  if (name == "sock") return Transport::sock;
  if (name == "tcp") return Transport::tcp;
  return Error{"no such transport", "-x " + name, "there are pipe, fifo, sock and tcp"};
}

Result<PipeEnds> PipeEnds::make(Transport transport, const std::string& path) {
  if (transport == Transport::sock) return over_socketpair();
  if (transport == Transport::tcp) return over_tcp();
  const bool named = transport == Transport::fifo;
  const auto to_here = named ? fifo_pair(path + "A") : pipe_pair();
  if (!to_here) return to_here.error();
  const auto to_there = named ? fifo_pair(path + "B") : pipe_pair();
  if (!to_there) return to_there.error();
  return from_pairs(*to_here, *to_there);
}

Status PipeEnd::send(const char* from, std::size_t bytes) const {
  if (write(out->number(), from, bytes) == static_cast<ssize_t>(bytes)) return {};
  return failed("write");
}

Status PipeEnd::receive(char* to, std::size_t bytes) const {
  for (std::size_t have = 0; have < bytes;) {
    const ssize_t more = read(in->number(), to + have, bytes - have);
    if (more <= 0) return failed("read");
    have += static_cast<std::size_t>(more);
  }
  return {};
}

}  // namespace assay::os
