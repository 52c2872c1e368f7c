// Purpose: the benchmarks of a way of waiting, with every transport.
//
//   add_transports<Driver::Epoll>(group);
//
// Thread safety: none. Cost to the measurement: none inside the loop. The peer that echoes is a
// thread of ours: it must exist before the loop and outlive it, and Google Benchmark's own threads
// all run the loop. So real time is measured, and the counters include the peer.
#pragma once

#include <assay/primitives/transport/transport_checks.hpp>

#include <assay/primitives/measured.hpp>

namespace assay::primitives {

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

void add_asio(Group& group);

}  // namespace assay::primitives
