#include <assay/primitives/transport/transport_asio.hpp>

#include <assay/primitives/transport/transport_group.hpp>

namespace assay::primitives {

const OptionalPart asio_part([](Group& group) { add_transports<DriverAsio>(group); });

}  // namespace assay::primitives
