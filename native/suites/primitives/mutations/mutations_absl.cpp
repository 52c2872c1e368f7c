#include <assay/suites/primitives/mutations/mutations_group.hpp>

#include <absl/container/inlined_vector.h>

namespace assay::suites {
namespace {

/// Up to eight mutations in the list itself.
struct AbslInlined : ListOfStrings<absl::InlinedVector<OwningMutation<std::string>, 8>> {
  static constexpr std::string_view name = "ListType::AbslInlined";
  using ListOfStrings::ListOfStrings;
};

}  // namespace

void add_absl_lists(Group& group) {
  add_list<AbslInlined>(group);
}

}  // namespace assay::suites
