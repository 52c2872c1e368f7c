// What it costs to call a function that the caller does not know, and to keep it for later.
#include <assay/primitives/callback/callback_types.hpp>

#include <assay/base/do_not_optimize.hpp>
#include <assay/primitives/measured.hpp>

namespace assay::primitives {
namespace {

struct Capture {
  struct Pointer {
    static constexpr std::string_view name = "Capture::Pointer";
    using Callable = Adder;
  };
  struct Bytes64 {
    static constexpr std::string_view name = "Capture::Bytes64";
    using Callable = Padded;
  };
};

/// Times calls of a callee that the compiler cannot see through; Template alone is one that it can
/// inline.
template <class Type>
void call(benchmark::State& state) {
  Totals total;
  std::uint64_t wanted = 0;
  auto callee = callee_of<Type, Adder>(total);
  Measured measured(state);
  for (auto _ : state) {
    std::uint64_t value = ++wanted;
    make_opaque(value);
    benchmark::DoNotOptimize(&callee);
    callee(value);
    benchmark::DoNotOptimize(&total);
    benchmark::ClobberMemory();
  }
  measured.done({});
  if (total.sum() != wanted * (wanted + 1) / 2) state.SkipWithError("calls were lost");
}

template <class Type, class Held>
void create_and_destroy(benchmark::State& state) {
  Totals total;
  Measured measured(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(&total);
    auto callee = callee_of<Type, typename Held::Callable>(total);
    benchmark::DoNotOptimize(&callee);
    benchmark::ClobberMemory();
  }
  measured.done({});
}

template <class Type>
void add_call(Group& group) {
  group.add({.name = name_of<Type>("bench_callback_call"),
             .check = check_callback<Type, Adder>,
             .loop = call<Type>});
}

template <class Type, class Held>
void add_create(Group& group) {
  group.add({.name = name_of<Type, Held>("bench_callback_create_and_destroy"),
             .check = check_callback<Type, typename Held::Callable>,
             .loop = create_and_destroy<Type, Held>});
}

template <class Type>
void add_keeper(Group& group) {
  add_call<Type>(group);
  add_create<Type, Capture::Pointer>(group);
  add_create<Type, Capture::Bytes64>(group);
}

}  // namespace

Group group() {
  Group group;
  add_call<CallbackType::Template>(group);
  add_call<CallbackType::DirectCall>(group);
  add_call<CallbackType::FunctionPointer>(group);
  add_keeper<CallbackType::Virtual>(group);
  add_keeper<CallbackType::StdFunction>(group);
  add_keeper<CallbackType::MoveOnly>(group);
  add_keeper<CallbackType::Reference>(group);
  return group;
}

}  // namespace assay::primitives
