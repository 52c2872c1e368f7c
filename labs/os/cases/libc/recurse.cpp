// Two functions that call each other, -d deep.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <array>

namespace assay::os {
namespace {

int second(int depth, int deepest);

[[gnu::noinline]] int first(int depth, int deepest) {
  std::array<char, 32> frame{};
  do_not_optimize(frame);
  return depth < deepest ? opaque_value(second(depth + 1, deepest)) : depth;
}

[[gnu::noinline]] int second(int depth, int deepest) {
  std::array<char, 32> frame{};
  do_not_optimize(frame);
  return depth < deepest ? opaque_value(first(depth + 1, deepest)) : depth;
}

class Recurse final : public Work {
 public:
  static Made<Recurse> make(const Setting& setting) {
    const std::int64_t deepest = setting.number('d');
    if (deepest <= stack_holds) return std::make_unique<Recurse>(static_cast<int>(deepest));
    return Error{"deeper than a thread's stack", "-d " + setting.text('d'),
                 "at most " + std::to_string(stack_holds)};
  }
  explicit Recurse(int deepest) : deepest_(deepest) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) do_not_optimize(first(0, opaque_value(deepest_)));
    return {};
  }

 private:
  static constexpr std::int64_t stack_holds = 20'000;

  const int deepest_;
};

}  // namespace

Case recurse_case() {
  return {.name = "recurse",
          .summary = "two functions that call each other",
          .options = {number('d', "depth", "100", "calls deep")},
          .stage = each<Recurse>};
}

}  // namespace assay::os
