// close of the accepted end of a TCP connection over 127.0.0.1.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>
#include <assay/os/support/io/connections.hpp>
#include <assay/os/support/io/loopback.hpp>

#include <unistd.h>

#include <algorithm>

namespace assay::os {
namespace {

class CloseTcp final : public Work {
 public:
  static Made<CloseTcp> make(const Setting& setting) {
    return made_of<CloseTcp>(Listener::make(16), setting.threads);
  }
  CloseTcp(Listener listener, int threads) : listener_(std::move(listener)), threads_(threads) {}

  [[nodiscard]] Calls most_calls() const override {
    return std::min<Calls>(calls_for_descriptors(2, threads_), 128);
  }

  Status prepare(Calls calls) override {
    accepted_.clear();
    for (Calls i = 0; i < calls; ++i) {
      auto client = listener_.connect();
      if (!client) return client.error();
      open_.add_client(std::move(client).value());
      auto server = listener_.accept();
      if (!server) return server.error();
      accepted_.push_back(dup(server->number()));
    }
    return {};
  }

  Status run(Calls /*calls*/) override {
    for (const int number : accepted_) {
      if (close(number) != 0) return failed("close");
    }
    return {};
  }

  Status undo(Calls /*calls*/) override {
    open_.clear();
    return {};
  }

 private:
  const Listener listener_;
  const int threads_;
  Connections open_;
  std::vector<int> accepted_;
};

}  // namespace

Case close_tcp_case() {
  return {.name = "close_tcp",
          .summary = "close() of the accepted end of a TCP connection",
          .stage = each<CloseTcp>};
}

}  // namespace assay::os
