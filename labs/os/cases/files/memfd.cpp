// memfd_create: a file in memory, without a name in any folder.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/io/opening.hpp>

#include <sys/mman.h>

namespace assay::os {
namespace {

class NewMemfd {
 public:
  explicit NewMemfd(const Setting& /*setting*/) {}
  int operator()() const { return memfd_create("assay-os-case", MFD_CLOEXEC); }
  [[nodiscard]] std::string name() const { return "memfd_create"; }
};

}  // namespace

Case memfd_case() {
  return {.name = "memfd",
          .summary = "memfd_create()",
          .stage = each<Opening<NewMemfd>>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
