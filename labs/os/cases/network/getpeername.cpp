// getpeername of a connected TCP socket.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/connections.hpp>
#include <assay/os/support/io/loopback.hpp>

namespace assay::os {
namespace {

class Getpeername final : public Work {
 public:
  static Made<Getpeername> make(const Setting& /*setting*/) {
    auto listener = Listener::make(1);
    if (!listener) return listener.error();
    auto client = listener->connect();
    if (!client) return client.error();
    auto server = listener->accept();
    if (!server) return server.error();
    reset_when_closed(*client);
    return std::make_unique<Getpeername>(std::move(client).value(), std::move(server).value());
  }
  Getpeername(FileDescriptor client, FileDescriptor server)
      : server_(std::move(server)), client_(std::move(client)) {}

  Status run(Calls calls) override {
    sockaddr_in peer{};
    for (Calls i = 0; i < calls; ++i) {
      socklen_t length = sizeof peer;
      if (getpeername(server_.number(), as_sockaddr(peer), &length) != 0)
        return failed("getpeername");
    }
    return {};
  }

 private:
  const FileDescriptor server_;
  // Destroyed first, so that this end resets the connection.
  const FileDescriptor client_;
};

}  // namespace

Case getpeername_case() {
  return {.name = "getpeername", .summary = "getpeername()", .stage = each<Getpeername>};
}

}  // namespace assay::os
