// Work of five kinds, each done a thousand times an iteration, and with -DMORE=1 once more:
// what `benchmarks/instruction_gate.py` asks the gate to find.
#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <unordered_map>

namespace {

constexpr int times = 1000 + MORE;

void BM_arithmetic(benchmark::State& state) {
  unsigned hash = 1;
  for (auto _ : state) {
    for (int i = 0; i < times; ++i) {
      hash = (hash ^ (hash >> 13)) * 0x5bd1e995;
      benchmark::DoNotOptimize(hash);
    }
  }
}
BENCHMARK(BM_arithmetic);

void BM_allocation(benchmark::State& state) {
  for (auto _ : state) {
    for (int i = 0; i < times; ++i) {
      benchmark::DoNotOptimize(std::make_unique<std::array<char, 40>>());
    }
  }
}
BENCHMARK(BM_allocation);

void BM_lookup(benchmark::State& state) {
  std::unordered_map<int, int> table;
  for (int i = 0; i < 64; ++i) table[i * 7] = i;
  for (auto _ : state) {
    for (int i = 0; i < times; ++i) benchmark::DoNotOptimize(table.find(i % 64 * 7));
  }
}
BENCHMARK(BM_lookup);

void BM_copy(benchmark::State& state) {
  const std::string text(200, 'x');
  std::array<char, 256> copy{};
  for (auto _ : state) {
    for (int i = 0; i < times; ++i) {
      std::memcpy(copy.data(), text.data(), text.size());
      benchmark::DoNotOptimize(copy);
    }
  }
}
BENCHMARK(BM_copy);

struct Shape {
  virtual ~Shape() = default;
  [[nodiscard]] virtual int area() const = 0;
};
struct Square final : Shape {
  int side = 3;
  [[nodiscard]] int area() const override { return side * side; }
};

void BM_virtual(benchmark::State& state) {
  const std::unique_ptr<Shape> shape = std::make_unique<Square>();
  const Shape* seen = shape.get();
  for (auto _ : state) {
    for (int i = 0; i < times; ++i) {
      benchmark::DoNotOptimize(seen);
      benchmark::DoNotOptimize(seen->area());
    }
  }
}
BENCHMARK(BM_virtual);

}  // namespace

BENCHMARK_MAIN();
