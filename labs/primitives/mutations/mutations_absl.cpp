#include <assay/primitives/mutations/mutations_group.hpp>

#include <absl/container/inlined_vector.h>

namespace assay::primitives {
namespace {

/// Keeps up to eight mutations in the list object itself.
class AbslInlined {
 public:
  static constexpr std::string_view name = "ListType::AbslInlined";
  explicit AbslInlined(std::size_t items) { mutations_.reserve(items); }
  void add(const Mutation& mutation) {
    mutations_.push_back(
        {mutation.kind, std::string(mutation.first), std::string(mutation.second)});
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const auto& mutation : mutations_) visit(mutation);
  }

 private:
  absl::InlinedVector<OwningMutation<std::string>, 8> mutations_;
};

}  // namespace

const OptionalPart absl_lists_part([](Group& group) { add_list<AbslInlined>(group); });

}  // namespace assay::primitives
