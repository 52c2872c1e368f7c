#include <assay/suites/primitives/serialization/serialization_memcpy.hpp>

#include <assay/suites/primitives/serialization/serialization_group.hpp>

namespace assay::suites {

void add_memcpy(Group& group) {
  add_format<Memcpy>(group);
}

}  // namespace assay::suites
