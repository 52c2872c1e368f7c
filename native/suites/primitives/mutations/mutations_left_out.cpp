// Empty functions for the part of the group whose library is missing.
#include <assay/suites/primitives/mutations/mutations_group.hpp>

namespace assay::suites {

#ifdef ASSAY_SUITE_NO_ABSL
void add_absl_lists(Group&) {}
#endif

}  // namespace assay::suites
