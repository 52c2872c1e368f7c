// strlen of a string of -s bytes.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <cstring>

namespace assay::os {
namespace {

class Strlen final : public Work {
 public:
  explicit Strlen(const Setting& setting)
      : text_(static_cast<std::size_t>(setting.number('s') + (setting.flag('n') ? 1 : 0)), 'x'),
        start_(text_.c_str() + (setting.flag('n') ? 1 : 0)) {}

  Status run(Calls calls) override {
    const char* const start = start_;
    for (Calls i = 0; i < calls; ++i) do_not_optimize(std::strlen(opaque_value(start)));
    return {};
  }

 private:
  const std::string text_;
  const char* start_;
};

}  // namespace

Case strlen_case() {
  return {.name = "strlen",
          .summary = "length of a string",
          .options = {number('s', "size", "100", "bytes in the string"),
                      flag('n', "unaligned", "the string begins one byte off")},
          .stage = each<Strlen>};
}

}  // namespace assay::os
