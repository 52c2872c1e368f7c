#include <assay/primitives/serialization/serialization_memcpy.hpp>

#include <assay/primitives/serialization/serialization_group.hpp>

namespace assay::primitives {

void add_memcpy(Group& group) {
  add_format<Memcpy>(group);
}

}  // namespace assay::primitives
