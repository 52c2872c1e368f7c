// bind of a TCP socket to a port of 127.0.0.1; with -z the kernel picks the port.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>
#include <assay/os/support/io/loopback.hpp>

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace assay::os {
namespace {

class Bind final : public Work {
 public:
  static Made<Bind> make(const Setting& setting, const WorkerId& /*worker*/) {
    auto listener = Listener::make(1);  // takes a port that is free and releases it again
    if (!listener) return listener.error();
    sockaddr_in address = listener->address();
    if (setting.flag('z')) address.sin_port = 0;
    return std::make_unique<Bind>(address, setting.threads);
  }
  Bind(const sockaddr_in& address, int threads) : address_(address), threads_(threads) {}

  // A short batch, because bind looks at every socket that is already bound to the port.
  [[nodiscard]] Calls most_calls() const override {
    return std::min<Calls>(calls_for_descriptors(1, threads_), 16);
  }

  // Sockets may share a port as long as none of them listens.
  Status prepare(Calls calls) override {
    const int yes = 1;
    for (Calls i = 0; i < calls; ++i) {
      auto made = tcp_socket();
      if (!made) return made.error();
      sockets_.push_back(std::move(made).value());
      if (setsockopt(sockets_.back().number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0) {
        return failed("setsockopt SO_REUSEADDR");
      }
    }
    return {};
  }

  Status run(Calls /*calls*/) override {
    for (const FileDescriptor& one : sockets_) {
      const bool bound = bind(one.number(), as_sockaddr(address_), sizeof address_) == 0;
      if (!bound && errno != EADDRINUSE) return failed("bind");
    }
    return {};
  }

  Status undo(Calls /*calls*/) override {
    sockets_.clear();
    return {};
  }

 private:
  const sockaddr_in address_;
  const int threads_;
  std::vector<FileDescriptor> sockets_;
};

}  // namespace

Case bind_case() {
  return {.name = "bind",
          .summary = "bind() of a TCP socket",
          .options = {flag('z', "any-port", "to port 0: the kernel picks one")},
          .stage = each<Bind>};
}

}  // namespace assay::os
