// What it costs to make, copy, move and share a reference to an object. After flowbench's
// bench_ref.
#include <assay/primitives/ref/ref_group.hpp>

namespace assay::primitives {

Group group() {
  Group group;
  add_copyable<RefType::RawPointer>(group);
  add_any<RefType::UniquePointer>(group);
  add_copyable<RefType::SharedPointer>(group);
  add_optional_parts(group);
  return group;
}

}  // namespace assay::primitives
