#include <assay/primitives/hash/hash_group.hpp>

#include <absl/hash/hash.h>

namespace assay::primitives {

const OptionalPart absl_hash_part([](Group& group) {
  add_hash(group, "HashType::AbslHash", absl::Hash<std::string_view>{});
});

}  // namespace assay::primitives
