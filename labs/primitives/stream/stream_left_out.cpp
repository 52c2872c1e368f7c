// Empty functions for the parts of the group that cannot be built here.
#include <assay/primitives/stream/stream_group.hpp>

namespace assay::primitives {

#ifdef ASSAY_SUITE_NO_QUEUES
void add_queues(Group&) {}
#endif
#ifdef ASSAY_SUITE_NO_COROUTINES
void add_coroutine_channel(Group&) {}
#endif
#ifdef ASSAY_SUITE_NO_ASIO
void add_asio_channel(Group&) {}
#endif

}  // namespace assay::primitives
