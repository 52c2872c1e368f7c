#include <assay/os/support/io/loopback.hpp>

#include <arpa/inet.h>
#include <sys/socket.h>

namespace assay::os {

Result<FileDescriptor> tcp_socket() {
  FileDescriptor made(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!made) return failed("socket");
  return made;
}

sockaddr_in loopback_address(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

Result<Listener> Listener::make(int backlog) {
  auto made = tcp_socket();
  if (!made) return made.error();
  sockaddr_in address = loopback_address();
  socklen_t length = sizeof address;
  const int number = made->number();
  if (bind(number, as_sockaddr(address), length) != 0) return failed("bind to 127.0.0.1");
  if (listen(number, backlog) != 0) return failed("listen");
  if (getsockname(number, as_sockaddr(address), &length) != 0) return failed("getsockname");
  return Listener(std::move(made).value(), address);
}

Result<FileDescriptor> Listener::connect() const {
  auto made = tcp_socket();
  if (!made) return made.error();
  if (::connect(made->number(), as_sockaddr(address_), sizeof address_) != 0) {
    return failed("connect to 127.0.0.1");
  }
  return made;
}

Result<FileDescriptor> Listener::accept() const {
  FileDescriptor made(accept4(number(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!made) return failed("accept");
  return made;
}

}  // namespace assay::os
