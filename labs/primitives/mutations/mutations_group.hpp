// Purpose: the benchmarks of a list, populate and iterate, and the check before them.
//
//   add_list<ListType::VectorOfStrings>(group);
//
// Thread safety: main thread. Cost: none to the measurement.
#pragma once

#include <assay/primitives/mutations/mutation_lists.hpp>

#include <assay/base/random.hpp>
#include <assay/primitives/measured.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace assay::primitives {

/// Random mutations of a fixed seed, whose texts lie in one block.
class Source {
 public:
  Source(std::size_t items, std::size_t size) {
    Random random(1729);
    texts_.resize(items * size * 2);
    for (char& letter : texts_) letter = static_cast<char>('a' + random.below(26));
    const std::string_view all = texts_;
    for (std::size_t i = 0; i < items; ++i) {
      const auto kind = random.below(4) == 0 ? Mutation::Kind::clear : Mutation::Kind::set;
      mutations_.push_back(
          {kind, all.substr(i * 2 * size, size), all.substr((i * 2 + 1) * size, size)});
    }
  }
  [[nodiscard]] const std::vector<Mutation>& mutations() const { return mutations_; }

 private:
  std::string texts_;
  std::vector<Mutation> mutations_;
};

template <class List>
void fill(List& list, const Source& source) {
  for (const Mutation& mutation : source.mutations()) list.add(mutation);
}

inline Source source_of(const benchmark::State& state) {
  return {static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1))};
}

/// Times making a list, filling it and destroying it.
template <class List>
void bench_populate(benchmark::State& state) {
  const Source source = source_of(state);
  Measured measured(state);
  for (auto _ : state) {
    List list(source.mutations().size());
    fill(list, source);
    benchmark::DoNotOptimize(&list);
    benchmark::ClobberMemory();
  }
  measured.done({.items = state.range(0), .bytes = 2 * state.range(0) * state.range(1)});
}

/// Times going through a list, reading the kind and the first byte of each text.
template <class List>
void bench_iterate(benchmark::State& state) {
  const Source source = source_of(state);
  List list(source.mutations().size());
  fill(list, source);
  Measured measured(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(&list);
    std::uint64_t sum = 0;
    list.for_each([&sum](const auto& mutation) {
      if (mutation.kind == Mutation::Kind::set) sum += mutation.second.size();
      sum += static_cast<unsigned char>(mutation.first.front());
      sum ^= static_cast<unsigned char>(mutation.second.front());
    });
    benchmark::DoNotOptimize(sum);
  }
  measured.done({.items = state.range(0)});
}

/// Checks that the mutations come out as they went in and in order, and that the list holds copies
/// of the texts.
template <class List>
Problem check_list() {
  for (const std::size_t size : {1U, 15U, 16U, 300U}) {
    const Source wanted(500, size);
    List list(wanted.mutations().size());
    {
      const Source same(500, size);
      fill(list, same);
    }
    std::size_t at = 0;
    Problem problem;
    list.for_each([&](const auto& mutation) {
      const Mutation& other = wanted.mutations().at(at++);
      if (problem) return;
      if (mutation.kind == other.kind && mutation.first == other.first &&
          mutation.second == other.second) {
        return;
      }
      problem = "mutation " + std::to_string(at - 1) + " is another";
    });
    if (problem) return problem;
    if (at != 500) return std::to_string(at) + " mutations came out, not 500";
  }
  return {};
}

inline void mutation_sizes(benchmark::internal::Benchmark& made) {
  made.ArgNames({"items", "size"});
  for (const std::int64_t items : {1, 64, 4'096}) {
    for (const std::int64_t size : {8, 64, 512}) made.Args({items, size});
  }
}

template <class List>
void add_list(Group& group) {
  group.add({.name = name_of<List>("bench_populate"),
             .check = check_list<List>,
             .loop = bench_populate<List>,
             .shape = mutation_sizes});
  group.add({.name = name_of<List>("bench_iterate"),
             .check = check_list<List>,
             .loop = bench_iterate<List>,
             .shape = mutation_sizes});
}

}  // namespace assay::primitives
