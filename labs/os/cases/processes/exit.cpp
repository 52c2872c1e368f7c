// A child's exit() and its parent's waitpid(). All children are forked before the batch and exit
// together.
#include <assay/os/harness/case.hpp>
#include <assay/os/support/children.hpp>

namespace assay::os {
namespace {

class Exit final : public Work {
 public:
  static Made<Exit> make(const Setting& setting) {
    return made_of<Exit>(StartLatch::make(), setting.flag('e'));
  }
  Exit(StartLatch latch, bool at_once) : children_(std::move(latch)), at_once_(at_once) {}

  [[nodiscard]] Calls most_calls() const override { return 1000; }

  Status prepare(Calls calls) override {
    children_.reserve(calls);
    for (Calls i = 0; i < calls; ++i) {
      if (Status done = children_.fork_one([this] { leave(); }); !done) return done;
    }
    children_.until_waiting();
    return {};
  }

  Status run(Calls /*calls*/) override {
    children_.release();
    return children_.wait_for_all();
  }

 private:
  [[noreturn]] void leave() const {
    if (at_once_) _exit(0);
    std::exit(0);  // NOLINT(concurrency-mt-unsafe): it is what is measured
  }

  Children children_;
  const bool at_once_;
};

}  // namespace

Case exit_case() {
  return {.name = "exit",
          .summary = "a child's exit() and the waitpid() for it",
          .options = {flag('e', "at-once", "_exit(), without what exit() does in the C library")},
          .stage = each<Exit>};
}

}  // namespace assay::os
