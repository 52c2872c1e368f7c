// listen twice, each time with another backlog; libMicro counts the two as one call.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/loopback.hpp>

#include <sys/socket.h>

namespace assay::os {
namespace {

class Listen final : public Work {
 public:
  static Made<Listen> make(const Setting& /*setting*/) {
    return made_of<Listen>(Listener::make(1));
  }
  explicit Listen(Listener listener) : listener_(std::move(listener)) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (listen(listener_.number(), 4) != 0) return failed("listen");
      if (listen(listener_.number(), 5) != 0) return failed("listen");
    }
    return {};
  }

 private:
  const Listener listener_;
};

}  // namespace

Case listen_case() {
  return {.name = "listen", .summary = "two listen(), of a bound socket", .stage = each<Listen>};
}

}  // namespace assay::os
