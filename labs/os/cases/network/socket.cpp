// socket of a family.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/opening.hpp>

#include <sys/socket.h>

namespace assay::os {
namespace {

class NewSocket {
 public:
  explicit NewSocket(const Setting& setting) : family_(family_named(setting.text('f'))) {}
  int operator()() const { return socket(family_, SOCK_STREAM, 0); }
  [[nodiscard]] std::string name() const { return "socket"; }

 private:
  // An unknown name becomes an unknown family: socket() then refuses it.
  static int family_named(const std::string& name) {
    if (name == "PF_UNIX") return PF_UNIX;
    if (name == "PF_INET") return PF_INET;
    if (name == "PF_INET6") return PF_INET6;
    return -1;
  }
  int family_;
};

}  // namespace

Case socket_case() {
  return {.name = "socket",
          .summary = "socket()",
          .options = {text('f', "family", "PF_UNIX", "PF_UNIX, PF_INET or PF_INET6")},
          .stage = each<Opening<NewSocket>>};
}

}  // namespace assay::os
