// connect over TCP to 127.0.0.1 and accept; -a: accept alone; -c: connect alone.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>
#include <assay/os/support/io/connections.hpp>
#include <assay/os/support/io/loopback.hpp>

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace assay::os {
namespace {

enum class Part : std::uint8_t { both, accept, connect };

class Connection final : public Work {
 public:
  static Made<Connection> make(const Setting& setting) {
    auto listener = Listener::make(256);
    if (!listener) return listener.error();
    const Part part = setting.flag('a')   ? Part::accept
                      : setting.flag('c') ? Part::connect
                                          : Part::both;
    return std::make_unique<Connection>(std::move(listener).value(), part, setting.threads);
  }
  Connection(Listener listener, Part part, int threads)
      : listener_(std::move(listener)), part_(part), threads_(threads) {}

  [[nodiscard]] Calls most_calls() const override {
    // The listener's backlog holds 256.
    return std::min<Calls>(calls_for_descriptors(2, threads_), 128);
  }

  Status prepare(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      auto client = tcp_socket();
      if (!client) return client.error();
      if (fcntl(client->number(), F_SETFL, O_NONBLOCK) != 0) return failed("fcntl O_NONBLOCK");
      open_.add_client(std::move(client).value());
    }
    open_.servers().reserve(static_cast<std::size_t>(calls));
    if (part_ != Part::accept) return {};
    for (const FileDescriptor& client : open_.clients()) {
      if (Status done = connect_one(client); !done) return done;
    }
    return {};
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (part_ != Part::accept) {
        if (Status done = connect_one(open_.clients()[static_cast<std::size_t>(i)]); !done)
          return done;
      }
      if (part_ == Part::connect) continue;
      if (Status done = accept_one(); !done) return done;
    }
    return {};
  }

  Status undo(Calls calls) override {
    for (Calls i = 0; i < calls && part_ == Part::connect; ++i) {
      if (Status done = accept_one(); !done) return done;
    }
    open_.clear();
    return {};
  }

 private:
  // connect() on a non-blocking socket: the handshake ends in the call itself or, with EINPROGRESS,
  // soon after it.
  [[nodiscard]] Status connect_one(const FileDescriptor& client) const {
    const sockaddr_in& to = listener_.address();
    const bool done = ::connect(client.number(), as_sockaddr(to), sizeof to) == 0;
    if (done || errno == EINPROGRESS) return {};
    return failed("connect");
  }

  Status accept_one() {
    auto server = listener_.accept();
    if (!server) return server.error();
    open_.add_server(std::move(server).value());
    return {};
  }

  const Listener listener_;
  const Part part_;
  const int threads_;
  Connections open_;
};

}  // namespace

Case connection_case() {
  return {
      .name = "connection",
      .summary = "connect() to ourselves and accept()",
      .options = {flag('a', "accept", "accept() alone"), flag('c', "connect", "connect() alone")},
      .stage = each<Connection>};
}

}  // namespace assay::os
