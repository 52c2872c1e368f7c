// memmove of -s bytes.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/copying.hpp>

#include <cstring>

namespace assay::os {
namespace {

struct Memmove {
  void operator()(char* to, const char* from, std::size_t bytes) const {
    std::memmove(to, from, bytes);
  }
};

}  // namespace

Case memmove_case() {
  return {.name = "memmove",
          .summary = "memmove() from one buffer to another",
          .options = copying_options(),
          .stage = each<Copying<Memmove>>};
}

}  // namespace assay::os
