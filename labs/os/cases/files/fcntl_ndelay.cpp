// Making a socket non-blocking and blocking again: four fcntl calls.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/loopback.hpp>

#include <fcntl.h>

namespace assay::os {
namespace {

class FcntlNdelay final : public Work {
 public:
  static Made<FcntlNdelay> make(const Setting& /*setting*/) {
    return made_of<FcntlNdelay>(tcp_socket());
  }
  explicit FcntlNdelay(FileDescriptor socket) : socket_(std::move(socket)) {}

  Status run(Calls calls) override {
    const int number = socket_.number();
    for (Calls i = 0; i < calls; ++i) {
      const int before = fcntl(number, F_GETFL);
      if (fcntl(number, F_SETFL, before | O_NONBLOCK) < 0) return failed("fcntl F_SETFL");
      const int between = fcntl(number, F_GETFL);
      if (fcntl(number, F_SETFL, between & ~O_NONBLOCK) < 0) return failed("fcntl F_SETFL");
    }
    return {};
  }

 private:
  const FileDescriptor socket_;
};

}  // namespace

Case fcntl_ndelay_case() {
  return {.name = "fcntl_ndelay",
          .summary = "a socket non-blocking and back: four fcntl()",
          .stage = each<FcntlNdelay>};
}

}  // namespace assay::os
