// Empty functions for the part of the group whose library is missing.
#include <assay/primitives/ref/ref_group.hpp>

namespace assay::primitives {

#ifdef ASSAY_SUITE_NO_BOOST
void add_intrusive(Group&) {}
#endif

}  // namespace assay::primitives
