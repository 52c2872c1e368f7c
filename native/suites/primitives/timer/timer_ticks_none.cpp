#include <assay/suites/primitives/timer/timer_group.hpp>

namespace assay::suites {

void add_tick_counters(Group&) {}

}  // namespace assay::suites
