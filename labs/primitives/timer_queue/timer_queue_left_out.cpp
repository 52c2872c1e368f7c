// Empty functions for the part of the group whose library was not found.
#include <assay/primitives/timer_queue/timer_queue_group.hpp>

namespace assay::primitives {

#ifdef ASSAY_SUITE_NO_BOOST
void add_pairing_heap(Group& /*group*/) {}
#endif

}  // namespace assay::primitives
