// getsockname of a TCP socket that is bound.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/loopback.hpp>

#include <sys/socket.h>

namespace assay::os {
namespace {

class Getsockname final : public Work {
 public:
  static Made<Getsockname> make(const Setting& /*setting*/) {
    return made_of<Getsockname>(Listener::make(1));
  }
  explicit Getsockname(Listener listener) : listener_(std::move(listener)) {}

  Status run(Calls calls) override {
    sockaddr_in own{};
    for (Calls i = 0; i < calls; ++i) {
      socklen_t length = sizeof own;
      if (getsockname(listener_.number(), as_sockaddr(own), &length) != 0)
        return failed("getsockname");
    }
    return {};
  }

 private:
  const Listener listener_;
};

}  // namespace

Case getsockname_case() {
  return {.name = "getsockname", .summary = "getsockname()", .stage = each<Getsockname>};
}

}  // namespace assay::os
