#include <assay/primitives/group.hpp>

#include <memory>
#include <mutex>
#include <utility>

namespace assay::primitives {
namespace {

/// The label of a benchmark's row: what threads may do with one object. `assay suite` reads it from
/// the record.
const char* label_of(Sharing sharing) {
  switch (sharing) {
    case Sharing::single_threaded:
      return "single-threaded";
    case Sharing::thread_safe:
      return "thread-safe";
    case Sharing::neither:
      break;
  }
  return "";
}

/// A check that runs once in a process, in whichever thread or repetition of the benchmark comes
/// first.
class OneTimeCheck {
 public:
  explicit OneTimeCheck(std::function<Problem()> check) : check_(std::move(check)) {}

  const Problem& problem() {
    std::call_once(once_, [this] { problem_ = check_(); });
    return problem_;
  }

 private:
  std::function<Problem()> check_;
  std::once_flag once_;
  Problem problem_;
};

void run(benchmark::State& state, const Primitive& primitive, OneTimeCheck& checked) {
  if (const Problem& problem = checked.problem()) {
    state.SkipWithError(("not timed, as it is wrong: " + *problem).c_str());
    return;
  }
  if (state.thread_index() == 0) state.SetLabel(label_of(primitive.sharing));
  primitive.loop(state);
}

}  // namespace

void add_optional_parts(Group& group) {
  for (const OptionalPart* part = OptionalPart::first_; part != nullptr; part = part->next_) {
    part->add_(group);
  }
}

void register_benchmarks(const Group& group) {
  for (const Primitive& primitive : group.primitives()) {
    auto checked = std::make_shared<OneTimeCheck>(primitive.check);
    auto* const made = benchmark::RegisterBenchmark(
        primitive.name.c_str(),
        [primitive, checked](benchmark::State& state) { run(state, primitive, *checked); });
    if (primitive.shape) primitive.shape(*made);
  }
}

}  // namespace assay::primitives
