// strchr of a letter that is not in a string of -s bytes.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>
#include <assay/os/support/sample_text.hpp>

#include <cstring>

namespace assay::os {
namespace {

class Strchr final : public Work {
 public:
  explicit Strchr(const Setting& setting) : text_(setting.number('s'), setting.flag('n') ? 1 : 0) {}

  Status run(Calls calls) override {
    const char* const start = text_.begin();
    for (Calls i = 0; i < calls; ++i) do_not_optimize(std::strchr(opaque_value(start), 'X'));
    return {};
  }

 private:
  SampleText text_;
};

}  // namespace

Case strchr_case() {
  return {.name = "strchr",
          .summary = "strchr() of a letter that is not there",
          .options = {number('s', "size", "100", "bytes in the string"),
                      flag('n', "unaligned", "the string begins one byte off")},
          .stage = each<Strchr>};
}

}  // namespace assay::os
