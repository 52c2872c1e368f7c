// The program with the hook it used to be done with, as Stumpless's own benchmarks have it: the
// library's allocator functions replaced by ones that look every block up in a std::map from
// its address to its size. As theirs, it takes no address out: it will come again.
//
//   pair_map_hook ADDRESSES THREADS      how many addresses the map has seen before
#include "pair_loop.hpp"

#include <cstdlib>
#include <map>
#include <mutex>

namespace {

struct MemoryCounter {
  std::size_t malloc_count{0};
  std::size_t alloc_total{0};
  std::size_t free_count{0};
  std::size_t free_total{0};
  std::map<void*, std::size_t> sizes{};
};

MemoryCounter& counter() {
  static MemoryCounter only;
  return only;
}

void* counting_malloc(std::size_t size) {
  ++counter().malloc_count;
  counter().alloc_total += size;
  void* const block = std::malloc(size);
  if (block != nullptr) counter().sizes[block] = size;
  return block;
}

void counting_free(void* block) {
  ++counter().free_count;
  counter().free_total += counter().sizes[block];
  std::free(block);
}

// A std::map is for one thread; the least that makes the hook right for several is a lock.
std::mutex mutex;

void* locked_malloc(std::size_t size) {
  const std::lock_guard lock(mutex);
  return counting_malloc(size);
}

void locked_free(void* block) {
  const std::lock_guard lock(mutex);
  counting_free(block);
}

}  // namespace

int main(int argc, char** argv) {
  const int addresses = argc > 1 ? std::atoi(argv[1]) : 0;
  for (int i = 0; i < addresses; ++i) counting_malloc(64);
  const int threads = threads_in(argc, argv);
  if (threads == 1) return time_pairs(1, {counting_malloc, counting_free});
  return time_pairs(threads, {locked_malloc, locked_free});
}
