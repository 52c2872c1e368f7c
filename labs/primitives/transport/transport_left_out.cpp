// Empty functions for the part of the group whose library was not found.
#include <assay/primitives/transport/transport_group.hpp>

namespace assay::primitives {

#ifdef ASSAY_SUITE_NO_ASIO
void add_asio(Group& /*group*/) {}
#endif

}  // namespace assay::primitives
