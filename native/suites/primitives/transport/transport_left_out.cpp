// Empty functions for the part of the group whose library was not found.
#include <assay/suites/primitives/transport/transport_group.hpp>

namespace assay::suites {

#ifdef ASSAY_SUITE_NO_ASIO
void add_asio(Group& /*group*/) {}
#endif

}  // namespace assay::suites
