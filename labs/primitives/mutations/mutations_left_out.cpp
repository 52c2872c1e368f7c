// Empty functions for the part of the group whose library is missing.
#include <assay/primitives/mutations/mutations_group.hpp>

namespace assay::primitives {

#ifdef ASSAY_SUITE_NO_ABSL
void add_absl_lists(Group&) {}
#endif

}  // namespace assay::primitives
