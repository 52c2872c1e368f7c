// What it costs to set timers, to cancel them and to let them expire, with a thousand to a million
// of them set.
#include <assay/primitives/timer_queue/timer_queue_group.hpp>

namespace assay::primitives {

Group group() {
  Group group;
  add_timer_queue<TimerQueueType::Heap>(group);
  add_timer_queue<TimerQueueType::Multimap>(group);
  add_timer_queue<TimerQueueType::Wheel>(group);
  add_optional_parts(group);
  return group;
}

}  // namespace assay::primitives
