// Purpose: TCP sockets on 127.0.0.1, on ports the kernel picks: several runs never collide.
//
//   auto listening = Listener::make(128);
//   auto client = listening->connect();
//   auto server = listening->accept();
//
// Thread safety: one owner. Cost: system calls, untimed.
#pragma once

#include <assay/os/harness/case.hpp>
#include <assay/system/file_descriptor.hpp>

#include <netinet/in.h>

namespace assay::os {

Result<FileDescriptor> tcp_socket();

/// The address 127.0.0.1 with this port; with port 0 the kernel picks one.
sockaddr_in loopback_address(std::uint16_t port = 0);

class Listener {
 public:
  static Result<Listener> make(int backlog);

  [[nodiscard]] int number() const { return socket_.number(); }
  [[nodiscard]] const sockaddr_in& address() const { return address_; }
  [[nodiscard]] Result<FileDescriptor> connect() const;
  [[nodiscard]] Result<FileDescriptor> accept() const;

 private:
  Listener(FileDescriptor socket, const sockaddr_in& address)
      : socket_(std::move(socket)), address_(address) {}

  FileDescriptor socket_;
  sockaddr_in address_;
};

/// The pointer type that bind, connect and the like take.
inline const sockaddr* as_sockaddr(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}
inline sockaddr* as_sockaddr(sockaddr_in& address) {
  return reinterpret_cast<sockaddr*>(&address);
}

}  // namespace assay::os
