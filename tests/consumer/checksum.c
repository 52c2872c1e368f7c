/* FNV-1a. CHECKSUM_PASSES: as a slower version of itself, for the comparisons. */
#include "checksum.h"

#ifndef CHECKSUM_PASSES
#define CHECKSUM_PASSES 1
#endif

uint32_t checksum(const unsigned char* bytes, size_t count) {
  uint32_t hash = 0;
  for (int pass = 0; pass < CHECKSUM_PASSES; ++pass) {
    hash ^= 0x811c9dc5U;
    for (size_t i = 0; i < count; ++i) hash = (hash ^ bytes[i]) * 0x01000193U;
  }
  return hash;
}
