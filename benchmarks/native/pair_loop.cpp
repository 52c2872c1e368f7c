#include "pair_loop.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <numeric>
#include <thread>
#include <vector>

namespace {

constexpr int stretches = 100;
// What copying one element of Stumpless asks for: nine blocks, 162 bytes, all alive at once.
// One block, freed at once and asked for again, would flatter a map: always the same node.
constexpr std::array<std::size_t, 9> element{40, 18, 16, 24, 8, 8, 24, 8, 16};
constexpr int elements = 1'200;
constexpr int pairs = elements * static_cast<int>(element.size());

double now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

void keep(void* block) {
  asm volatile("" : : "r"(block) : "memory");
}

[[gnu::noinline, gnu::aligned(64)]] void pairs_by_name() {
  std::array<void*, element.size()> blocks{};
  for (int i = 0; i < elements; ++i) {
    for (std::size_t n = 0; n < element.size(); ++n) keep(blocks[n] = std::malloc(element[n]));
    for (void* const block : blocks) std::free(block);
  }
}

[[gnu::noinline, gnu::aligned(64)]] void pairs_by_pointer(Allocator allocator) {
  std::array<void*, element.size()> blocks{};
  for (int i = 0; i < elements; ++i) {
    for (std::size_t n = 0; n < element.size(); ++n) {
      keep(blocks[n] = allocator.allocate(element[n]));
    }
    for (void* const block : blocks) allocator.release(block);
  }
}

}  // namespace

namespace {

double fastest_pair_ns(Allocator allocator) {
  double fastest = 1e300;
  for (int i = 0; i < stretches; ++i) {
    const double start = now_ns();
    if (allocator.allocate == nullptr) {
      pairs_by_name();
    } else {
      pairs_by_pointer(allocator);
    }
    fastest = std::min(fastest, now_ns() - start);
  }
  return fastest / pairs;
}

}  // namespace

int time_pairs(int threads, Allocator allocator) {
  std::vector<double> times(static_cast<std::size_t>(threads));
  std::atomic<int> waiting{threads};
  const auto work = [&](double& time) {
    --waiting;
    while (waiting > 0) {  // all begin together
    }
    time = fastest_pair_ns(allocator);
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < times.size(); ++i) others.emplace_back(work, std::ref(times[i]));
  work(times[0]);
  for (std::thread& other : others) other.join();
  std::printf("%.4f\n", std::accumulate(times.begin(), times.end(), 0.0) / threads);
  return 0;
}

int threads_in(int argc, char** argv) {
  return argc > 1 ? std::max(1, std::atoi(argv[argc - 1])) : 1;
}
