#include <assay/primitives/transport/transport_asio.hpp>

#include <assay/primitives/transport/transport_group.hpp>

namespace assay::primitives {

void add_asio(Group& group) {
  add_transports<DriverAsio>(group);
}

}  // namespace assay::primitives
