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

/// 127.0.0.1 and a port; 0 lets the kernel pick.
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

/// As bind, connect and the like want it.
inline const sockaddr* plain(const sockaddr_in& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}
inline sockaddr* plain(sockaddr_in& address) {
  return reinterpret_cast<sockaddr*>(&address);
}

}  // namespace assay::os
