#include <assay/suites/primitives/transport/transport_asio.hpp>

#include <assay/suites/primitives/transport/transport_group.hpp>

namespace assay::suites {

void add_asio(Group& group) {
  add_transports<DriverAsio>(group);
}

}  // namespace assay::suites
