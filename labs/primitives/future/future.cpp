// What it costs to pass a value through a future or another means: within a thread, and from
// another thread. Because one thread waits for the other, real time is measured, and the counters
// include the other thread.
#include <assay/primitives/future/future_types.hpp>

#include <assay/base/do_not_optimize.hpp>
#include <assay/primitives/measured.hpp>

#include <optional>

namespace assay::primitives {
namespace {

template <class Type>
void hand_over(benchmark::State& state) {
  std::uint64_t sum = 0;
  std::uint64_t wanted = 0;
  std::uint64_t value = 0;
  Measured measured(state, Measured::new_threads);
  std::optional<Type> type;
  type.emplace();  // made after the counters, so that they include a thread that it starts
  for (auto _ : state) {
    make_opaque(++value);
    sum += type->hand_over(value);
    make_opaque(sum);
    wanted += value;
  }
  type.reset();
  measured.done({});
  if (sum != wanted) state.SkipWithError("values were lost");
}

template <class Type>
void add_within_a_thread(Group& group) {
  group.add({.name = name_of<Type>("bench_future_within_a_thread"),
             .check = check_hand_over<Type>,
             .loop = hand_over<Type>});
}

template <class Type>
void add_from_a_thread(Group& group) {
  group.add({.name = name_of<Type>("bench_future_from_another_thread"),
             .sharing = Sharing::thread_safe,
             .check = check_hand_over<Type>,
             .loop = hand_over<Type>,
             .shape = [](benchmark::internal::Benchmark& made) { made.UseRealTime(); }});
}

}  // namespace

Group group() {
  Group group;
  add_within_a_thread<FutureType::PlainVariable>(group);
  add_within_a_thread<FutureType::Promise>(group);
  add_within_a_thread<FutureType::PackagedTask>(group);
  add_within_a_thread<FutureType::AsyncDeferred>(group);
  add_from_a_thread<FutureType::ThreadAndJoin>(group);
  add_from_a_thread<FutureType::AsyncThread>(group);
  add_from_a_thread<FutureType::PromiseToWorker>(group);
  return group;
}

}  // namespace assay::primitives
