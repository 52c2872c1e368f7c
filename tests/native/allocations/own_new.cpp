// A program whose operator new does not call malloc, as tcmalloc's does not.
#include "bump_allocator.hpp"
#include "say_status.hpp"

#include <new>

void* operator new(std::size_t size) {
  return bump::allocate(size);
}
void operator delete(void* /*block*/) noexcept {}
void operator delete(void* /*block*/, std::size_t /*size*/) noexcept {}

int main() {
  return say_status();
}
