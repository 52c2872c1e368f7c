// An eventfd written and read.
#include <assay/os/harness/case.hpp>
#include <assay/system/file_descriptor.hpp>

#include <sys/eventfd.h>

namespace assay::os {
namespace {

class Eventfd final : public Work {
 public:
  static Made<Eventfd> make(const Setting& /*setting*/) {
    FileDescriptor made(eventfd(0, EFD_CLOEXEC));
    if (!made) return failed("eventfd");
    return std::make_unique<Eventfd>(std::move(made));
  }
  explicit Eventfd(FileDescriptor event) : event_(std::move(event)) {}

  Status run(Calls calls) override {
    eventfd_t seen = 0;
    for (Calls i = 0; i < calls; ++i) {
      if (eventfd_write(event_.number(), 1) != 0) return failed("write to an eventfd");
      if (eventfd_read(event_.number(), &seen) != 0) return failed("read from an eventfd");
    }
    return {};
  }

 private:
  const FileDescriptor event_;
};

}  // namespace

Case eventfd_case() {
  return {.name = "eventfd",
          .summary = "write() and read() of an eventfd",
          .stage = each<Eventfd>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
