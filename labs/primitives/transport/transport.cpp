// How long a message takes there and back, by transport and by way of waiting.
#include <assay/primitives/transport/transport_drivers.hpp>
#include <assay/primitives/transport/transport_group.hpp>

namespace assay::primitives {

Group group() {
  Group group;
  add_transports<Driver::Epoll>(group);
  add_transports<Driver::Polling>(group);
  add_optional_parts(group);
  return group;
}

}  // namespace assay::primitives
