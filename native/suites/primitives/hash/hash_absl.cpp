#include <assay/suites/primitives/hash/hash_group.hpp>

#include <absl/hash/hash.h>

namespace assay::suites {

void add_absl_hash(Group& group) {
  add_hash(group, "HashType::AbslHash", absl::Hash<std::string_view>{});
}

}  // namespace assay::suites
