// setsockopt TCP_NODELAY.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/loopback.hpp>

#include <netinet/tcp.h>
#include <sys/socket.h>

namespace assay::os {
namespace {

class Setsockopt final : public Work {
 public:
  static Made<Setsockopt> make(const Setting& /*setting*/) {
    return made_of<Setsockopt>(tcp_socket());
  }
  explicit Setsockopt(FileDescriptor socket) : socket_(std::move(socket)) {}

  Status run(Calls calls) override {
    const int yes = 1;
    for (Calls i = 0; i < calls; ++i) {
      if (setsockopt(socket_.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes) != 0) {
        return failed("setsockopt TCP_NODELAY");
      }
    }
    return {};
  }

 private:
  const FileDescriptor socket_;
};

}  // namespace

Case setsockopt_case() {
  return {.name = "setsockopt", .summary = "setsockopt(TCP_NODELAY)", .stage = each<Setsockopt>};
}

}  // namespace assay::os
