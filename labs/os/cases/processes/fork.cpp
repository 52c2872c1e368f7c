// fork. The children wait until the batch is over, so that none ends while another is made.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/children.hpp>

namespace assay::os {
namespace {

class Fork final : public Work {
 public:
  static Made<Fork> make(const Setting& /*setting*/) { return made_of<Fork>(StartLatch::make()); }
  explicit Fork(StartLatch latch) : children_(std::move(latch)) {}

  [[nodiscard]] Calls most_calls() const override { return 1000; }

  Status prepare(Calls calls) override {
    children_.reserve(calls);
    return {};
  }

  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) {
      if (Status done = children_.fork_one([] {}); !done) return done;
    }
    return {};
  }

  Status undo(Calls /*calls*/) override {
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
