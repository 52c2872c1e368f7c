// A minimal allocator: it takes blocks from one array and never frees any.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstring>

namespace bump {

inline void* allocate(std::size_t size) {
  alignas(64) static char arena[1U << 20U];
  static std::atomic<std::size_t> used{0};
  const std::size_t whole = (size + 64 + 63) / 64 * 64;  // 64 bytes with the size, then the block
  const std::size_t at = used.fetch_add(whole);
  if (at + whole > sizeof arena) return nullptr;
  std::memcpy(arena + at, &size, sizeof size);
  return arena + at + 64;
}

inline void* reallocate(void* block, std::size_t size) {
  void* const copy = allocate(size);
  if (block == nullptr || copy == nullptr) return copy;
  std::size_t old_size = 0;
  std::memcpy(&old_size, static_cast<char*>(block) - 64, sizeof old_size);
  return std::memcpy(copy, block, old_size < size ? old_size : size);
}

}  // namespace bump
