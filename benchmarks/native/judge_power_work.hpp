// A suite whose executables do precisely 0, 1, 2 or 5 percent more work, so that a judge's
// answers can be held against the truth.
//
//   void hash_16(benchmark::State& state) { repeat(state, 1, [](int i) { ... one step ... }); }
//
// An iteration is (100 + injected_percent) * k equal steps. Nothing else differs, and the
// compiler cannot know: the percentage lives in another translation unit and is volatile.
#pragma once

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

extern const volatile int injected_percent;

/// Runs `step(i)` (100 + injected_percent) * k times an iteration; i counts from 0.
template <class Step>
void repeat(benchmark::State& state, int k, Step step) {
  const int steps = (100 + injected_percent) * k;
  for (auto _ : state) {
    for (int i = 0; i < steps; ++i) step(i);
  }
}

/// A place in memory that says where to go next; one to a cache line.
struct alignas(64) Stop {
  std::uint32_t next;
};

/// One cycle through `bytes` of stops in random order: no prefetcher can follow it.
std::vector<Stop> random_cycle(std::size_t bytes);

std::vector<std::uint32_t> random_numbers(std::size_t count);

std::uint64_t fnv1a(const char* data, std::size_t size);

/// A byte-wise scan that branches on data: what a predictor cannot learn.
int count_branching(const std::vector<std::uint32_t>& numbers);
