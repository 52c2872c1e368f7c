#include "pair_loop.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace {

constexpr int stretches = 100;
constexpr int pairs = 10'000;
constexpr std::size_t block_size = 64;

double now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

void keep(void* block) {
  asm volatile("" : : "r"(block) : "memory");
}

[[gnu::noinline, gnu::aligned(64)]] void pairs_by_name() {
  for (int i = 0; i < pairs; ++i) {
    void* block = std::malloc(block_size);
    keep(block);
    std::free(block);
  }
}

[[gnu::noinline, gnu::aligned(64)]] void pairs_by_pointer(Allocator allocator) {
  for (int i = 0; i < pairs; ++i) {
    void* block = allocator.allocate(block_size);
    keep(block);
    allocator.release(block);
  }
}

}  // namespace

int time_pairs(Allocator allocator) {
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
  std::printf("%.4f\n", fastest / pairs);
  return 0;
}
