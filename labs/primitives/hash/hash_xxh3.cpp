#include <assay/primitives/hash/hash_group.hpp>

#include <xxhash.h>

namespace assay::primitives {
namespace {

std::uint64_t xxh3(std::string_view text) {
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace

const OptionalPart xxh3_part([](Group& group) {
  add_hash(group, "HashType::Xxh3", xxh3,
           [] { return check_known(xxh3, "", 0x2d06800538d394c2U); });
});

}  // namespace assay::primitives
