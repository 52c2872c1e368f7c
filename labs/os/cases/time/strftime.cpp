// strftime of a fixed time.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <array>
#include <ctime>

namespace assay::os {
namespace {

class Strftime final : public Work {
 public:
  explicit Strftime(const Setting& setting) : pattern_(setting.text('f')) {
    const std::time_t beginning = 0;
    localtime_r(&beginning, &parts_);
  }
  Status run(Calls calls) override {
    std::array<char, 80> text{};
    const char* const pattern = pattern_.c_str();
    for (Calls i = 0; i < calls; ++i) {
      do_not_optimize(std::strftime(text.data(), text.size(), opaque_value(pattern), &parts_));
    }
    return {};
  }

 private:
  const std::string pattern_;
  std::tm parts_{};
};

}  // namespace

Case strftime_case() {
  return {.name = "strftime",
          .summary = "strftime()",
          .options = {text('f', "format", "%c", "as strftime has it")},
          .stage = each<Strftime>};
}

}  // namespace assay::os
