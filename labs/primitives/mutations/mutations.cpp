// Lists of mutations, made and walked over. After flowbench's bench_populate, bench_iterate.
#include <assay/primitives/mutations/mutations_group.hpp>

namespace assay::primitives {

Group group() {
  Group group;
  add_list<ListType::VectorOfStrings>(group);
  add_list<ListType::PmrMonotonic>(group);
  add_list<ListType::ArenaOfViews>(group);
  add_optional_parts(group);
  return group;
}

}  // namespace assay::primitives
