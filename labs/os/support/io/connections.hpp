// Purpose: holds both ends of TCP connections within this host, and closes them without TIME_WAIT.
//
//   Connections made;  made.add_client(std::move(client));  made.add_server(std::move(server));
//   made.clear();
//
// Clients are reset, not closed: else each connection would wait a minute in TIME_WAIT, and after
// some ten thousand a case would measure the search for a free port.
//
// Thread safety: one owner. Cost: system calls, untimed.
#pragma once

#include <assay/system/file_descriptor.hpp>

#include <sys/socket.h>

#include <cstddef>
#include <vector>

namespace assay::os {

inline void reset_when_closed(const FileDescriptor& socket) {
  const linger at_once{.l_onoff = 1, .l_linger = 0};
  setsockopt(socket.number(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

class Connections {
 public:
  void add_client(FileDescriptor client) { clients_.push_back(std::move(client)); }
  void add_server(FileDescriptor server) { servers_.push_back(std::move(server)); }
  [[nodiscard]] const std::vector<FileDescriptor>& clients() const { return clients_; }
  [[nodiscard]] std::vector<FileDescriptor>& servers() { return servers_; }

  void clear() {
    for (const FileDescriptor& client : clients_) reset_when_closed(client);
    clients_.clear();
    servers_.clear();
  }

 private:
  std::vector<FileDescriptor> clients_;
  std::vector<FileDescriptor> servers_;
};

}  // namespace assay::os
