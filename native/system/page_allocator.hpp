// Purpose: memory for Assay's own records, which does not disturb the program under test.
//
//   std::vector<std::uint64_t, assay::PageAllocator<std::uint64_t>> counts(33'792);
//
// It comes straight from mmap, so it neither counts as an allocation of the benchmark nor
// changes the layout of its heap.
//
// Units: counts of elements, as in std::allocator. Errors: std::bad_alloc. Thread safety:
// stateless. Cost: two system calls and whole pages for each vector; meant for large ones that
// live long.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <limits>
#include <new>

namespace assay {

template <class T>
struct PageAllocator {
  using value_type = T;

  PageAllocator() = default;
  template <class U>
  PageAllocator(const PageAllocator<U>& /*stateless*/) noexcept {}  // NOLINT: as containers want

  [[nodiscard]] T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    void* const pages = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    return static_cast<T*>(pages);
  }

  void deallocate(T* pages, std::size_t count) noexcept { munmap(pages, count * sizeof(T)); }

  template <class U>
  bool operator==(const PageAllocator<U>& /*stateless*/) const noexcept {
    return true;
  }
};

}  // namespace assay
