// A program that brings its own malloc. Also the source of a library to preload.
#include "bump_allocator.hpp"

#ifdef ASSAY_PRELOADED
#define ASSAY_MAIN_HERE
#else
#include "say_status.hpp"
#define ASSAY_MAIN_HERE  \
  int main() {           \
    return say_status(); \
  }
#endif

extern "C" {
void* malloc(std::size_t size) noexcept {
  return bump::allocate(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  return bump::allocate(count * size);
}
void* realloc(void* block, std::size_t size) noexcept {
  return bump::reallocate(block, size);
}
void free(void* /*block*/) noexcept {}
std::size_t malloc_usable_size(void* block) noexcept {
  std::size_t size = 0;
  std::memcpy(&size, static_cast<char*>(block) - 64, sizeof size);
  return size;
}
}

ASSAY_MAIN_HERE
