#include <assay/measure/allocations/next_allocator.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <array>

namespace assay {

constinit AllocatorFunctions next_allocator{};

namespace {

template <class Pointer>
void find(Pointer& function, const char* name) noexcept {
  // The result is stored, not returned: a tail call of dlsym would make RTLD_NEXT
  // mean "after our caller", which may be libstdc++.
  void* const address = dlsym(RTLD_NEXT, name);
  function = reinterpret_cast<Pointer>(address);
}

bool header_agrees(std::size_t size) noexcept {
  void* const block = next_allocator.malloc(size);
  if (block == nullptr) return false;
  const bool agrees = chunk_usable_size(block) == next_allocator.usable_size(block);
  next_allocator.free(block);
  return agrees;
}

}  // namespace

void find_next_allocator() noexcept {
  AllocatorFunctions& next = next_allocator;
  find(next.malloc, "malloc");
  find(next.calloc, "calloc");
  find(next.realloc, "realloc");
  find(next.free, "free");
  find(next.posix_memalign, "posix_memalign");
  find(next.aligned_alloc, "aligned_alloc");
  find(next.memalign, "memalign");
  find(next.valloc, "valloc");
  find(next.pvalloc, "pvalloc");
  find(next.usable_size, "malloc_usable_size");
}

bool chunk_headers_can_be_read() noexcept {
  // Small sizes only: freeing a mapped block would raise glibc's mmap threshold and so
  // change how the program we measure allocates.
  constexpr std::array<std::size_t, 4> sizes{1, 24, 25, 1000};
  void* const glibc_malloc = dlsym(RTLD_DEFAULT, "__libc_malloc");
  return glibc_malloc == reinterpret_cast<void*>(next_allocator.malloc) &&
         std::all_of(sizes.begin(), sizes.end(), header_agrees);
}

}  // namespace assay
