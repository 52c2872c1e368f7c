// memcpy of -s bytes.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/copying.hpp>

#include <cstring>

namespace assay::os {
namespace {

struct Memcpy {
  void operator()(char* to, const char* from, std::size_t bytes) const {
    std::memcpy(to, from, bytes);
  }
};

}  // namespace

Case memcpy_case() {
  return {.name = "memcpy",
          .summary = "memcpy() from one buffer to another",
          .options = copying_options(),
          .stage = each<Copying<Memcpy>>};
}

}  // namespace assay::os
