// What a coroutine costs against the plain code that does the same: to await one, to resume
// one, to make one, and to take items from a generator.
#include <assay/primitives/coroutine/coroutine_ways.hpp>

#include <assay/base/do_not_optimize.hpp>
#include <assay/primitives/measured.hpp>

namespace assay::primitives {
namespace {

/// Times Type::sum, which contains the loop, so that each coroutine is awaited from within a
/// coroutine.
template <class Type>
void await(benchmark::State& state) {
  std::uint64_t asked = 0;
  Measured measured(state);
  const std::uint64_t sum = Type::sum([&]() -> std::optional<std::uint64_t> {
    if (!state.KeepRunning()) return {};
    std::uint64_t value = ++asked;
    make_opaque(value);
    return value;
  });
  measured.done({});
  if (sum != 3 * (asked * (asked + 1) / 2)) state.SkipWithError("values were lost");
}

template <class Type>
void generate(benchmark::State& state) {
  const auto items = static_cast<std::uint64_t>(state.range(0));
  std::uint64_t sum = 0;
  Measured measured(state);
  for (auto _ : state) {
    std::uint64_t last = items;
    make_opaque(last);
    Type::each(last, [&sum](std::uint64_t value) {
      sum += value;
      make_opaque(sum);
    });
  }
  measured.done({.items = state.range(0)});
  const auto rounds = static_cast<std::uint64_t>(state.iterations());
  if (sum != rounds * (items * (items + 1) / 2)) state.SkipWithError("values were lost");
}

void few_and_many(benchmark::internal::Benchmark& made) {
  made.ArgName("items")->Arg(1)->Arg(16)->Arg(4'096);
}

template <class Type>
void add_await(Group& group) {
  group.add({.name = name_of<Type>("bench_coroutine_await"),
             .check = check_await<Type>,
             .loop = await<Type>});
}

template <class Type>
void add_generate(Group& group) {
  group.add({.name = name_of<Type>("bench_coroutine_generate"),
             .check = check_generate<Type>,
             .loop = generate<Type>,
             .shape = few_and_many});
}

}  // namespace

Group group() {
  Group group;
  add_await<AwaitType::FunctionCall>(group);
  add_await<AwaitType::AlreadyThere>(group);
  add_await<AwaitType::SymmetricTransfer>(group);
  add_generate<GenerateType::PlainLoop>(group);
  add_generate<GenerateType::StateMachine>(group);
  add_generate<GenerateType::Callback>(group);
  add_generate<GenerateType::Coroutine>(group);
  return group;
}

}  // namespace assay::primitives
