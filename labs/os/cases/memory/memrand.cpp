// Ten dependent reads over -s bytes: each read gives the address of the next.
#include <assay/base/do_not_optimize.hpp>
#include <assay/base/random.hpp>
#include <assay/os/harness/case.hpp>

#include <numeric>

namespace assay::os {
namespace {

constexpr std::size_t line = 64;
constexpr std::uint64_t seed = 1729;

struct alignas(line) Link {
  Link* next;
};

class Memrand final : public Work {
 public:
  explicit Memrand(const Setting& setting)
      : links_(std::max<std::size_t>(static_cast<std::size_t>(setting.number('s')) / line, 2)),
        at_(links_.data()) {
    std::vector<std::uint32_t> order(links_.size());
    std::iota(order.begin(), order.end(), 0U);
    Random random(seed);
    // Sattolo's shuffle: a permutation of one cycle.
    for (std::size_t i = order.size() - 1; i > 0; --i) {
      std::swap(order[i], order[static_cast<std::size_t>(random.below(i))]);
    }
    for (std::size_t i = 0; i < order.size(); ++i) links_[i].next = &links_[order[i]];
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      for (int each = 0; each < 10; ++each) at_ = opaque_value(at_->next);
    }
    return {};
  }

 private:
  std::vector<Link> links_;
  Link* at_;
};

}  // namespace

Case memrand_case() {
  return {.name = "memrand",
          .summary = "ten reads at random, one after the other",
          .options = {number('s', "size", "1m", "bytes that are read from")},
          .stage = each<Memrand>};
}

}  // namespace assay::os
