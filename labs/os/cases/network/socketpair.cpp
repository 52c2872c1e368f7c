// socketpair of Unix sockets.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>

#include <sys/socket.h>

#include <array>

namespace assay::os {
namespace {

class Socketpair final : public Work {
 public:
  Socketpair(const Setting& setting, const WorkerId& /*worker*/) : threads_(setting.threads) {}

  [[nodiscard]] Calls most_calls() const override { return calls_for_descriptors(2, threads_); }

  Status prepare(Calls calls) override {
    pairs_.assign(static_cast<std::size_t>(calls), {-1, -1});
    return {};
  }

  Status run(Calls /*calls*/) override {
    for (auto& pair : pairs_) {
      if (socketpair(PF_UNIX, SOCK_STREAM, 0, pair.data()) != 0) return failed("socketpair");
    }
    return {};
  }

  Status undo(Calls /*calls*/) override {
    for (const auto& pair : pairs_) {
      for (const int end : pair) close(end);
    }
    return {};
  }

 private:
  const int threads_;
  std::vector<std::array<int, 2>> pairs_;
};

}  // namespace

Case socketpair_case() {
  return {.name = "socketpair", .summary = "socketpair()", .stage = each<Socketpair>};
}

}  // namespace assay::os
