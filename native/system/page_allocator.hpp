// Purpose: memory for our own books that the program under test never sees.
//
//   std::vector<std::uint64_t, assay::PageAllocator<std::uint64_t>> counts(33'792);
//
// Straight from mmap, so that it is neither counted as an allocation of the benchmark nor
// moves its heap about.
//
// Thread safety: stateless. Cost: two system calls and whole pages for each vector; meant
// for large ones that live long.
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
