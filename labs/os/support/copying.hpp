// Purpose: the work of the memcpy and memmove cases: copies from one buffer to another.
//
//   struct Memcpy { void operator()(char* to, const char* from, std::size_t bytes) const; };
//   .stage = each<Copying<Memcpy>>
//
// Thread safety: one owner. Cost: buffers are made before measuring.
#pragma once

#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>
#include <assay/os/support/page_buffer.hpp>

namespace assay::os {

/// Copy is a function object: void operator()(char* to, const char* from, std::size_t bytes).
template <class Copy>
class Copying final : public Work {
 public:
  explicit Copying(const Setting& setting)
      : bytes_(setting.number('s')),
        shift_(setting.number('a')),
        step_(std::max<std::int64_t>(bytes_, 1024)),
        from_(setting.flag('f') ? std::max(out_of_cache_bytes, bytes_ + shift_) : bytes_ + shift_),
        to_(setting.flag('t') ? std::max(out_of_cache_bytes, bytes_) : bytes_) {}

  Status run(Calls calls) override {
    const char* from = from_.begin() + shift_;
    char* to = to_.begin();
    for (Calls i = 0; i < calls; ++i) {
      Copy{}(opaque_value(to), opaque_value(from), static_cast<std::size_t>(opaque_value(bytes_)));
      from = from + step_ + bytes_ <= from_.end() ? from + step_ : from_.begin() + shift_;
      to = to + step_ + bytes_ <= to_.end() ? to + step_ : to_.begin();
    }
    return {};
  }

 private:
  const std::int64_t bytes_;
  const std::int64_t shift_;
  const std::int64_t step_;
  PageBuffer from_;
  PageBuffer to_;
};

inline std::vector<Option> copying_options() {
  return {number('s', "size", "8k", "bytes that are copied"),
          number('a', "shift", "0", "bytes the source begins after a page"),
          flag('f', "rotate-from", "from memory that is out of the cache"),
          flag('t', "rotate-to", "to memory that is out of the cache")};
}

}  // namespace assay::os
