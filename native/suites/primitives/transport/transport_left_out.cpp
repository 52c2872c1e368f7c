// What stands in for a library that was not found: nothing to add.
#include <assay/suites/primitives/transport/transport_group.hpp>

namespace assay::suites {

#ifdef ASSAY_SUITE_NO_ASIO
void add_asio(Group& /*group*/) {}
#endif

}  // namespace assay::suites
