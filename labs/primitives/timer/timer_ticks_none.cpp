#include <assay/primitives/timer/timer_group.hpp>

namespace assay::primitives {

void add_tick_counters(Group&) {}

}  // namespace assay::primitives
