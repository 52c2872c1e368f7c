// What it costs to write records as bytes and to read them again, by format. Every decoder checks
// that it does not read beyond the end of the bytes, and reads every field. FlatBuffers and Cap'n
// Proto read in place, without copying fields first.
#include <assay/primitives/serialization/serialization_group.hpp>

namespace assay::primitives {

Group group() {
  Group group;
  add_memcpy(group);
  add_json(group);
  add_optional_parts(group);
  return group;
}

}  // namespace assay::primitives
