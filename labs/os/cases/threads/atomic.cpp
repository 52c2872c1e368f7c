// Adding 1 to a number that all threads of a process share.
#include <assay/base/do_not_optimize.hpp>
#include <assay/os/harness/case.hpp>

#include <atomic>
#include <cstdint>

namespace assay::os {
namespace {

struct SharedNumber {
  alignas(64) std::atomic<std::uint32_t> value{0};
};

class AtomicAdd final : public Work {
 public:
  explicit AtomicAdd(SharedNumber& number) : number_(number) {}

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) do_not_optimize(number_.value.fetch_add(1) + 1);
    return {};
  }

 private:
  SharedNumber& number_;
};

}  // namespace

Case atomic_case() {
  return {.name = "atomic",
          .summary = "atomic addition to a number its threads share",
          .stage = sharing<SharedNumber, AtomicAdd>};
}

}  // namespace assay::os
