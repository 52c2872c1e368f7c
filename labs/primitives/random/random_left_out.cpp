// Empty functions for the parts of the group whose library is missing.
#include <assay/primitives/random/random_group.hpp>

namespace assay::primitives {

#ifdef ASSAY_SUITE_NO_ABSL
void add_absl_sources(Group&) {}
#endif
#ifdef ASSAY_SUITE_NO_BOOST
void add_boost_sources(Group&) {}
#endif

}  // namespace assay::primitives
