// The program with the hook it used to be done with: the library's allocator functions
// replaced by ones that remember each block's size in a std::map.
#include "pair_loop.hpp"

#include <cstdlib>
#include <map>

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
  void* const block = std::malloc(size);
  ++counter().malloc_count;
  counter().alloc_total += size;
  counter().sizes[block] = size;
  return block;
}

void counting_free(void* block) {
  ++counter().free_count;
  counter().free_total += counter().sizes[block];
  counter().sizes.erase(block);
  std::free(block);
}

}  // namespace

int main() {
  // A program has some blocks alive; the map is as deep as they are many.
  for (int i = 0; i < 1000; ++i) counting_malloc(64);
  return time_pairs({counting_malloc, counting_free});
}
