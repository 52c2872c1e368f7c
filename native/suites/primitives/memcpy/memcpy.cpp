// Copying 8 bytes to 1 MB, from and to whole pages and not.
#include <assay/suites/primitives/memcpy/memcpy_group.hpp>

#include <cstring>

namespace assay::suites {
namespace {

/// What the compiler may make of it, it makes; but not a call of memcpy.
void copy_bytes(char* __restrict to, const char* __restrict from, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    to[i] = from[i];
    asm("");
  }
}

}  // namespace

Group group() {
  Group group;
  add_copy(group, "CopyType::Memcpy",
           [](char* to, const char* from, std::size_t size) { std::memcpy(to, from, size); });
  add_copy(group, "CopyType::Memmove",
           [](char* to, const char* from, std::size_t size) { std::memmove(to, from, size); });
  add_copy(group, "CopyType::ByteLoop", copy_bytes);
  add_rep_movsb(group);
  return group;
}

}  // namespace assay::suites
