// Purpose: the benchmarks of a way to copy bytes, and the check before them.
//
//   add_copy(group, "CopyType::Memmove", [](char* to, const char* from, std::size_t size) {...});
//
// Thread safety: main thread. Cost: none to the measurement.
#pragma once

#include <assay/base/random.hpp>
#include <assay/primitives/group.hpp>
#include <assay/primitives/measured.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace assay::primitives {

inline constexpr std::size_t page_bytes = 4'096;

/// A buffer of `size` bytes that begins `offset` bytes after the start of a page.
class Buffer {
 public:
  Buffer(std::size_t size, std::size_t offset)
      : block_(static_cast<char*>(::operator new(size + offset, std::align_val_t(page_bytes)))),
        offset_(offset) {
    std::fill_n(block_.get(), size + offset, 'x');  // so that the first copy has no page faults
  }
  [[nodiscard]] char* data() const { return block_.get() + offset_; }

 private:
  struct Free {
    void operator()(char* block) const { ::operator delete(block, std::align_val_t(page_bytes)); }
  };
  std::unique_ptr<char, Free> block_;
  std::size_t offset_;
};

/// Checks that all bytes are copied, and that no byte before or after them is written.
template <class Copy>
Problem check_copy(const Copy& copy) {
  Random random(1729);
  constexpr std::size_t margin = 64;
  for (const std::size_t size : {0U, 1U, 7U, 8U, 63U, 64U, 65U, 1'000U, 10'000U}) {
    for (const std::size_t offset : {0U, 1U, 13U}) {
      // Never empty, so that data() is not null for 0 bytes.
      std::vector<char> from(offset + size + 1);
      for (char& byte : from) byte = static_cast<char>(random.below(255));
      std::vector<char> to(margin + size + margin, char{-1});
      copy(to.data() + margin, from.data() + offset, size);
      const auto begin = to.begin() + static_cast<std::ptrdiff_t>(margin);
      const auto end = begin + static_cast<std::ptrdiff_t>(size);
      if (!std::equal(begin, end, from.begin() + static_cast<std::ptrdiff_t>(offset))) {
        return "the copy of " + std::to_string(size) + " bytes differs";
      }
      const auto untouched = [](char byte) { return byte == char{-1}; };
      if (!std::all_of(to.begin(), begin, untouched) || !std::all_of(end, to.end(), untouched)) {
        return "writes outside its " + std::to_string(size) + " bytes";
      }
    }
  }
  return {};
}

struct Alignment {
  struct Aligned {
    static constexpr std::string_view name = "Alignment::Aligned";
    static constexpr std::size_t from = 0;
    // Chosen so that a byte and its copy lie in different cache sets.
    static constexpr std::size_t to = 64;
  };
  struct Unaligned {
    static constexpr std::string_view name = "Alignment::Unaligned";
    static constexpr std::size_t from = 1;
    static constexpr std::size_t to = 64 + 3;
  };
};

template <class Place, class Copy>
void bench_memcpy(benchmark::State& state, const Copy& copy) {
  const auto size = static_cast<std::size_t>(state.range(0));
  const Buffer from(size, Place::from);
  const Buffer to(size, Place::to);
  Measured measured(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(from.data());
    copy(to.data(), from.data(), size);
    benchmark::ClobberMemory();
  }
  measured.done({.items = 1, .bytes = state.range(0)});
}

template <class Place, class Copy>
void add_placed(Group& group, const std::string& name, const Copy& copy) {
  group.add({.name = "bench_memcpy<" + name + ", " + std::string(Place::name) + ">",
             .check = [copy] { return check_copy(copy); },
             .loop = [copy](benchmark::State& state) { bench_memcpy<Place>(state, copy); },
             .shape =
                 [](benchmark::internal::Benchmark& made) {
                   made.ArgName("size");
                   for (const int size : {8, 64, 512, 4'096, 65'536, 1'048'576}) made.Arg(size);
                 }});
}

template <class Copy>
void add_copy(Group& group, const std::string& name, Copy copy) {
  add_placed<Alignment::Aligned>(group, name, copy);
  add_placed<Alignment::Unaligned>(group, name, copy);
}

}  // namespace assay::primitives
