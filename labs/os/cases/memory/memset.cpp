// memset of -s bytes.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>
#include <assay/os/support/page_buffer.hpp>

#include <cstring>

namespace assay::os {
namespace {

class Memset final : public Work {
 public:
  explicit Memset(const Setting& setting)
      : bytes_(setting.number('s')),
        shift_(setting.number('a')),
        step_((bytes_ + 4095) / 4096 * 4096),
        buffer_(setting.flag('u') ? std::max(out_of_cache_bytes, bytes_ + shift_)
                                  : bytes_ + shift_),
        at_(buffer_.begin() + shift_) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      std::memset(opaque_value(at_), 0, static_cast<std::size_t>(opaque_value(bytes_)));
      at_ = at_ + step_ + bytes_ <= buffer_.end() ? at_ + step_ : buffer_.begin() + shift_;
    }
    clobber_memory();
    return {};
  }

 private:
  const std::int64_t bytes_;
  const std::int64_t shift_;
  const std::int64_t step_;
  PageBuffer buffer_;
  char* at_;
};

}  // namespace

Case memset_case() {
  return {.name = "memset",
          .summary = "memset() of a buffer",
          .options = {number('s', "size", "8k", "bytes that are set"),
                      number('a', "shift", "0", "bytes the buffer begins after a page"),
                      flag('u', "uncached", "another part of 64 MB each time")},
          .stage = each<Memset>};
}

}  // namespace assay::os
