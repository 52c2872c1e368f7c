// Empty functions for the parts of the group whose CPU or library is missing.
#include <assay/primitives/hash/hash_group.hpp>

namespace assay::primitives {

#ifdef ASSAY_SUITE_NO_SSE42
void add_crc32c_instruction(Group&) {}
#endif
#ifdef ASSAY_SUITE_NO_XXHASH
void add_xxh3(Group&) {}
#endif
#ifdef ASSAY_SUITE_NO_ABSL
void add_absl_hash(Group&) {}
#endif

}  // namespace assay::primitives
