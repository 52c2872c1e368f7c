// Purpose: checks a transport before it is timed: what comes back must be what was sent, whatever
// its size, and the peer's thread must end when the connection does.
//
//   if (const Problem problem = check_round_trips<TransportType::Pipe, Driver::Epoll>()) ...
//
// Thread safety: it starts a thread for the peer. Cost: none to measurements.
#pragma once

#include <assay/primitives/transport/transport_types.hpp>

#include <assay/primitives/group.hpp>

#include <string>
#include <thread>
#include <vector>

namespace assay::primitives {

/// The client's end of a connection, and a thread that echoes at the server's end; the destructor
/// ends both.
template <class Transport, class Driver>
class EchoPeer {
 public:
  using End = typename Transport::End;
  using Way = typename Driver::template Of<Transport>;

  EchoPeer(Connection<End> connection, std::size_t size)
      : server_(std::move(connection.server)),
        client_(std::move(connection.client)),
        thread_([this, size] { Way::echo(*server_, size); }) {}
  EchoPeer(const EchoPeer&) = delete;
  EchoPeer& operator=(const EchoPeer&) = delete;
  ~EchoPeer() {
    client_.reset();
    thread_.join();
  }

  template <class More>
  bool ask(std::span<const std::byte> message, std::span<std::byte> reply, More more) {
    return Way::ask(*client_, message, reply, more);
  }

 private:
  std::unique_ptr<End> server_;
  std::unique_ptr<End> client_;
  std::thread thread_;
};

inline std::vector<std::byte> message_of(std::size_t size, std::size_t seed) {
  std::vector<std::byte> message(size);
  for (std::size_t i = 0; i < size; ++i)
    message[i] = static_cast<std::byte>(i * 31 + i / 256 + seed);
  return message;
}

template <class Transport, class Driver>
Problem check_size(std::size_t size) {
  auto made = Transport::connect();
  if (!made) return made.error().line();
  EchoPeer<Transport, Driver> peer(std::move(made).value(), size);
  std::vector<std::byte> message = message_of(size, 0);
  std::vector<std::byte> reply(size);
  bool is_same = true;
  std::size_t times = 0;
  const bool all_came = peer.ask(message, reply, [&] {
    is_same &= times == 0 || message == reply;
    const std::vector<std::byte> next = message_of(size, ++times);
    std::copy(next.begin(), next.end(), message.begin());
    return times <= 5;
  });
  const std::string what = " of a message of " + std::to_string(size) + " bytes";
  if (!all_came) return "the connection ended in the middle" + what;
  if (!is_same) return "the echo" + what + " is another";
  return {};
}

/// Checks messages of several sizes, among them one of more bytes than the connection can hold.
template <class Transport, class Driver>
Problem check_round_trips() {
  for (const std::size_t size : {1U, 4'097U, 65'536U, 1'000'003U}) {
    if (auto problem = check_size<Transport, Driver>(size)) return problem;
  }
  return {};
}

}  // namespace assay::primitives
