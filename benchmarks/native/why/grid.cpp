// A grid of numbers, larger than a first cache. Most injections do the same instructions, but miss
// caches or mispredict branches. See log.cpp for what the comments mean.
//@ grid_columns    | cache      | sum        | inlined
//@ grid_cells      | cache      | weights    |
//@ grid_blocks     | cache      | transposed |
//@ grid_hops       | cache      | hop        | inlined
//@ grid_far        | last cache | sampled    |
//@ grid_select     | branches   | above      | inlined
//@ grid_indirect   | branches   | dispatched |
//@ grid_compare    | branches   | larger     | inlined
//@ grid_set_up     | set-up     | make_grid  |
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

constexpr std::size_t side = 128;

template <typename Number>
class Grid {
 public:
  Grid() : numbers_(side * side) {}
  Number& at(std::size_t row, std::size_t column) { return numbers_[row * side + column]; }
  Number sum() const {
    Number sum = 0;
    for (std::size_t i = 0; i < side; ++i) {
      for (std::size_t j = 0; j < side; ++j) {
        //+grid_columns Number number = numbers_[j * side + i];
        Number number = numbers_[i * side + j];  //-grid_columns
        benchmark::DoNotOptimize(number);
        sum += number;
      }
    }
    return sum;
  }
  const std::vector<Number>& numbers() const { return numbers_; }

 private:
  std::vector<Number> numbers_;
};

struct Cell {
  std::uint64_t weight = 1;
  //+grid_cells char more[120] = {};
  char more[8] = {};  //-grid_cells
};

__attribute__((noinline)) std::uint64_t weights(const std::vector<Cell>& cells) {
  std::uint64_t sum = 0;
  for (const Cell& cell : cells) {
    std::uint64_t weight = cell.weight;
    benchmark::DoNotOptimize(weight);
    sum += weight;
  }
  return sum;
}

__attribute__((noinline)) void transposed(const std::uint32_t* from, std::uint32_t* to) {
  constexpr std::size_t block = 8;
  for (std::size_t i = 0; i < side / block; ++i) {
    for (std::size_t j = 0; j < side / block; ++j) {
      for (std::size_t k = 0; k < block; ++k) {
        for (std::size_t l = 0; l < block; ++l) {
          //+grid_blocks const std::size_t row = j * block + l, column = k * side / block + i;
          const std::size_t row = i * block + k, column = j * block + l;  //-grid_blocks
          to[column * side + row] = from[row * side + column];
        }
      }
    }
  }
}

template <std::uint32_t Step>
inline std::uint32_t hop(const std::vector<std::uint32_t>& numbers, std::uint32_t at) {
  return at + Step + (numbers[at % (side * side)] >> 31);
}

__attribute__((noinline)) std::uint32_t hops(const std::vector<std::uint32_t>& numbers) {
  std::uint32_t at = 0;
  //+grid_hops for (int i = 0; i < 2000; ++i) at = hop<4099>(numbers, at);
  for (int i = 0; i < 2000; ++i) at = hop<1>(numbers, at);  //-grid_hops
  return at;
}

__attribute__((noinline)) std::uint64_t sampled(const std::vector<char>& far, std::uint32_t& seed) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 200; ++i) {
    seed = seed * 1664525 + 1013904223;
    //+grid_far sum += static_cast<unsigned char>(far[seed >> 8]);
    sum += static_cast<unsigned char>(far[seed >> 20]);  //-grid_far
  }
  return sum;
}

inline std::uint64_t above(std::uint32_t number, std::uint32_t limit) {
  //+grid_select if (number > limit) return benchmark::DoNotOptimize(limit), 1;
  //+grid_select return 0;
  return number > limit;  //-grid_select
}

inline std::uint32_t larger(std::uint32_t a, std::uint32_t b) {
  //+grid_compare if (__builtin_expect_with_probability(((a ^ b) >> 9 & 1) != 0, 1, 0.5)) {
  //+grid_compare   benchmark::DoNotOptimize(a);
  //+grid_compare }
  return std::max(a, b);
}

__attribute__((noinline)) std::uint64_t counted(const std::vector<std::uint32_t>& numbers) {
  std::uint64_t count = 0;
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < 3000; ++i) {
    count += above(numbers[i], 1U << 31);
    last = larger(last / 2, numbers[i]);
  }
  return count + last;
}

using Step = std::uint64_t (*)(std::uint64_t);
std::uint64_t twice(std::uint64_t x) {
  return 2 * x;
}
std::uint64_t next(std::uint64_t x) {
  return x + 1;
}

__attribute__((noinline)) std::uint64_t dispatched(Step const (&steps)[2],
                                                   const std::vector<std::uint32_t>& numbers) {
  std::uint64_t x = 0;
  for (std::size_t i = 0; i < 1000; ++i) {
    std::uint32_t number = numbers[i];
    benchmark::DoNotOptimize(number);
    //+grid_indirect x = steps[number >> 31](x);
    x = steps[i >> 31](x);  //-grid_indirect
  }
  return x;
}

__attribute__((noinline)) Grid<std::uint32_t> make_grid() {
  Grid<std::uint32_t> grid;
  std::uint32_t seed = 1;
  for (std::size_t i = 0; i < side * side; ++i) {
    seed = seed * 1664525 + 1013904223;
    grid.at(i / side, i % side) = seed;
  }
  //+grid_set_up for (std::size_t i = 0; i < 9000; ++i) grid.at(i % side, i / side) ^= 1;
  return grid;
}

void BM_grid(benchmark::State& state) {
  const auto grid = make_grid();
  const std::vector<Cell> cells(3000);
  const std::vector<char> far(1 << 24, 1);
  std::vector<std::uint32_t> other(side * side);
  const Step steps[] = {twice, next};
  std::uint32_t seed = 1;
  for (auto _ : state) {
    std::uint64_t sum = grid.sum() + weights(cells) + hops(grid.numbers()) + sampled(far, seed);
    transposed(grid.numbers().data(), other.data());
    sum += other[7] + counted(grid.numbers()) + dispatched(steps, grid.numbers());
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(BM_grid);

}  // namespace

BENCHMARK_MAIN();
