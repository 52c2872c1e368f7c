#include <assay/primitives/hash/hash_group.hpp>

#include <absl/hash/hash.h>

namespace assay::primitives {

void add_absl_hash(Group& group) {
  add_hash(group, "HashType::AbslHash", absl::Hash<std::string_view>{});
}

}  // namespace assay::primitives
