// Purpose: the benchmarks of a way of waiting, with every transport, and the check before them:
// what comes back must be what was sent, whatever its size, and the peer's thread must end when the
// connection does.
//
//   add_transports<Driver::Epoll>(group);
//
// Thread safety: none. Cost to the measurement: none inside the loop. The peer that echoes is a
// thread of ours: it must exist before the loop and outlive it, and Google Benchmark's own threads
// all run the loop. So real time is measured, and the counters include the peer.
#pragma once

#include <assay/primitives/group.hpp>
#include <assay/primitives/measured.hpp>
#include <assay/primitives/transport/transport_types.hpp>

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

template <class Transport, class Way>
void round_trip(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  auto made = Transport::connect();
  if (!made) {
    state.SkipWithError(made.error().line().c_str());
    return;
  }
  const std::vector<std::byte> message = message_of(size, 1);
  std::vector<std::byte> reply(size);
  Measured measured(state, Measured::new_threads);
  EchoPeer<Transport, Way> peer(std::move(made).value(), size);
  const bool all_came = peer.ask(message, reply, [&state] { return state.KeepRunning(); });
  measured.done({.items = 1, .bytes = 2 * state.range(0)});
  if (!all_came || message != reply) state.SkipWithError("an echo was lost");
}

inline void one_byte_to_a_megabyte(benchmark::internal::Benchmark& made) {
  made.ArgName("size")->Arg(1)->Arg(1'024)->Arg(65'536)->Arg(1'048'576)->UseRealTime();
}

template <class Transport, class Way>
void add_transport(Group& group) {
  group.add({.name = name_of<Transport, Way>("bench_transport_round_trip"),
             .check = check_round_trips<Transport, Way>,
             .loop = round_trip<Transport, Way>,
             .shape = one_byte_to_a_megabyte});
}

template <class Way>
void add_transports(Group& group) {
  add_transport<TransportType::Tcp, Way>(group);
  add_transport<TransportType::UnixSocket, Way>(group);
  add_transport<TransportType::Pipe, Way>(group);
  add_transport<TransportType::SharedMemory, Way>(group);
}

}  // namespace assay::primitives
