// splice of the first -s bytes of a file into a pipe, and on to /dev/null.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/descriptors.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <array>

namespace assay::os {
namespace {

class Splice final : public Work {
 public:
  static Made<Splice> make(const Setting& setting) {
    auto from = open_file(setting.text('f'), O_RDONLY);
    auto to = open_file("/dev/null", O_WRONLY);
    if (!from) return from.error();
    if (!to) return to.error();
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return failed("pipe2");
    auto made = std::make_unique<Splice>(std::move(from).value(), std::move(to).value());
    made->out_ = FileDescriptor(ends[0]);
    made->in_ = FileDescriptor(ends[1]);
    made->bytes_ = static_cast<std::size_t>(setting.number('s'));
    if (made->bytes_ > 65536) return Error{"more than a pipe holds", "-s", "64k at most"};
    return made;
  }
  Splice(FileDescriptor from, FileDescriptor to) : from_(std::move(from)), to_(std::move(to)) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      off64_t offset = 0;
      const ssize_t moved =
          splice(from_.number(), &offset, in_.number(), nullptr, bytes_, SPLICE_F_MOVE);
      if (moved <= 0) return failed("splice into a pipe");
      const auto held = static_cast<std::size_t>(moved);
      if (splice(out_.number(), nullptr, to_.number(), nullptr, held, SPLICE_F_MOVE) != moved) {
        return failed("splice out of a pipe");
      }
    }
    return {};
  }

 private:
  FileDescriptor from_;
  FileDescriptor to_;
  FileDescriptor out_;
  FileDescriptor in_;
  std::size_t bytes_{0};
};

}  // namespace

Case splice_case() {
  return {.name = "splice",
          .summary = "two splice(): from a file through a pipe",
          .options = {text('f', "file", "@tmp", "file that is read"),
                      number('s', "size", "4k", "bytes")},
          .stage = each<Splice>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
