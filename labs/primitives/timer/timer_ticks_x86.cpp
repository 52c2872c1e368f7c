#include <assay/primitives/timer/timer_group.hpp>

#include <x86intrin.h>

namespace assay::primitives {

const OptionalPart tick_counters_part([](Group& group) {
  add_timer(group, "TimerType::Rdtsc", [] { return std::uint64_t{__rdtsc()}; });
  add_timer(group, "TimerType::RdtscAfterLfence", [] {
    _mm_lfence();
    return std::uint64_t{__rdtsc()};
  });
  add_timer(group, "TimerType::Rdtscp", [] {
    unsigned processor = 0;
    return std::uint64_t{__rdtscp(&processor)};
  });
});

}  // namespace assay::primitives
