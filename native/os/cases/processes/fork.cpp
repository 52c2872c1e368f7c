// fork. The children wait until the batch is over, so that none ends while another is made.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/children.hpp>

namespace assay::os {
namespace {

class Fork final : public Work {
 public:
  static Made<Fork> make(const Setting& /*setting*/) {
    auto gate = Gate::make();
    if (!gate) return gate.error();
    return std::make_unique<Fork>(std::move(gate).value());
  }
  explicit Fork(Gate gate) : children_(std::move(gate)) {}

  [[nodiscard]] Calls most_calls() const override { return 1000; }

  Trouble prepare(Calls calls) override {
    children_.reserve(calls);
    return fine;
  }

  Trouble run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (auto trouble = children_.fork_one([] {})) return trouble;
    }
    return fine;
  }

  Trouble undo(Calls /*calls*/) override {
    children_.until_waiting();
    children_.release();
    return children_.wait_for_all();
  }

 private:
  Children children_;
};

}  // namespace

Case fork_case() {
  return {.name = "fork", .summary = "fork()", .stage = each<Fork>};
}

}  // namespace assay::os
