// Copying 8 bytes to 1 MB, from and to aligned addresses and others.
#include <assay/primitives/memcpy/memcpy_group.hpp>

#include <cstring>

namespace assay::primitives {
namespace {

/// A loop over the bytes; the empty asm keeps the compiler from replacing it by a call of memcpy.
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
  add_optional_parts(group);
  return group;
}

}  // namespace assay::primitives
