// getrandom of -s bytes.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/page_buffer.hpp>

#include <sys/random.h>

namespace assay::os {
namespace {

class Getrandom final : public Work {
 public:
  explicit Getrandom(const Setting& setting) : bytes_(setting.number('s')), buffer_(bytes_) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (getrandom(buffer_.begin(), static_cast<std::size_t>(bytes_), 0) != bytes_) {
        return failed("getrandom");
      }
    }
    return {};
  }

 private:
  const std::int64_t bytes_;
  PageBuffer buffer_;
};

}  // namespace

Case getrandom_case() {
  return {.name = "getrandom",
          .summary = "getrandom()",
          .options = {number('s', "size", "16", "bytes")},
          .stage = each<Getrandom>,
          .origin = Origin::linux_only};
}

}  // namespace assay::os
