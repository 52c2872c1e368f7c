// malloc of -g blocks, of the sizes given in turn, and free of all of them.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <algorithm>
#include <cstdlib>

namespace assay::os {
namespace {

class Malloc final : public Work {
 public:
  explicit Malloc(const Setting& setting)
      : sizes_(setting.numbers('s')),
        blocks_(static_cast<std::size_t>(std::max<std::int64_t>(setting.number('g'), 1))) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      std::size_t next = 0;
      for (void*& block : blocks_) {
        block = std::malloc(opaque_value(static_cast<std::size_t>(sizes_[next])));  // NOLINT
        if (block == nullptr) return failed("malloc");
        next = next + 1 < sizes_.size() ? next + 1 : 0;
      }
      for (void* const block : blocks_) std::free(block);  // NOLINT
      clobber_memory();
    }
    return {};
  }

 private:
  const std::vector<std::int64_t> sizes_;
  std::vector<void*> blocks_;
};

}  // namespace

Case malloc_case() {
  return {.name = "malloc",
          .summary = "malloc() of -g blocks, and free() of them",
          .options = {number('s', "size", "32", "bytes of a block; several take turns"),
                      number('g', "blocks", "100", "blocks held at once")},
          .stage = each<Malloc>};
}

}  // namespace assay::os
