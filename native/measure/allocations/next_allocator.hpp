// Purpose: the allocator behind our hooks: the one the program would use without us.
//
//   void* block = assay::next_allocator.malloc(24);
//
// Thread safety: written by find_next_allocator(), which the first allocation of the
// process calls, before there are threads; read-only afterwards.
// Cost: a load and an indirect call, as through any linkage table.
#pragma once

#include <cstddef>

namespace assay {

// The pointers are noexcept so that a noexcept caller can jump to them. Else it would have to stay
// on the stack, to call std::terminate in case of an exception.
struct AllocatorFunctions {
  void* (*malloc)(std::size_t) noexcept;
  void* (*calloc)(std::size_t, std::size_t) noexcept;
  void* (*realloc)(void*, std::size_t) noexcept;
  void (*free)(void*) noexcept;
  int (*posix_memalign)(void**, std::size_t, std::size_t) noexcept;
  void* (*aligned_alloc)(std::size_t, std::size_t) noexcept;
  void* (*memalign)(std::size_t, std::size_t) noexcept;
  void* (*valloc)(std::size_t) noexcept;
  void* (*pvalloc)(std::size_t) noexcept;
  std::size_t (*usable_size)(void*) noexcept;
};

extern AllocatorFunctions next_allocator;

/// Fills next_allocator from the objects after this one in lookup order (RTLD_NEXT).
void find_next_allocator() noexcept;

/// Whether a block's size may be read from glibc's chunk header: true only when the
/// next allocator is glibc's and headers agree with malloc_usable_size on trial blocks.
bool chunk_headers_can_be_read() noexcept;

/// The word before a glibc block: its chunk's size, and in bit 1 whether it was mapped by itself.
inline std::size_t chunk_header(const void* block) noexcept {
  return static_cast<const std::size_t*>(block)[-1];
}
inline bool chunk_is_mapped(const void* block) noexcept {
  return (chunk_header(block) & 2U) != 0;
}

/// The usable size of a glibc block, straight from the word before it, which free() is
/// about to read anyway: saves a call of malloc_usable_size, 1 to 2 ns.
inline std::size_t chunk_usable_size(void* block) noexcept {
  constexpr std::size_t flags = 7;
  if (__builtin_expect(chunk_is_mapped(block), 0) != 0) return next_allocator.usable_size(block);
  return (chunk_header(block) & ~flags) - sizeof(std::size_t);
}

}  // namespace assay
