// What it costs to ask for the time. After flowbench's bench_timer.
#include <assay/primitives/timer/timer_group.hpp>

#include <sys/time.h>

#include <ctime>

namespace assay::primitives {
namespace {

template <clockid_t Clock>
std::uint64_t clock_ns() {
  timespec now{};
  clock_gettime(Clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t time_of_day_us() {
  timeval now{};
  gettimeofday(&now, nullptr);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000U +
         static_cast<std::uint64_t>(now.tv_usec);
}

template <class Clock>
std::uint64_t chrono_ticks() {
  return static_cast<std::uint64_t>(Clock::now().time_since_epoch().count());
}

std::uint64_t seconds() {
  return static_cast<std::uint64_t>(std::time(nullptr));
}

/// Checks time() against CLOCK_REALTIME_COARSE, because waiting for its second to change could take
/// 1 s.
Problem check_seconds() {
  const std::uint64_t before = clock_ns<CLOCK_REALTIME_COARSE>() / 1'000'000'000U;
  const std::uint64_t now = seconds();
  const std::uint64_t after = clock_ns<CLOCK_REALTIME_COARSE>() / 1'000'000'000U;
  if (now >= before && now <= after) return {};
  return std::to_string(now) + " is not between " + std::to_string(before) + " and " +
         std::to_string(after);
}

void add_kernel_clocks(Group& group) {
  add_timer(group, "TimerType::ClockRealtime", clock_ns<CLOCK_REALTIME>);
  add_timer(group, "TimerType::ClockRealtimeCoarse", clock_ns<CLOCK_REALTIME_COARSE>);
  add_timer(group, "TimerType::ClockMonotonic", clock_ns<CLOCK_MONOTONIC>);
  add_timer(group, "TimerType::ClockMonotonicCoarse", clock_ns<CLOCK_MONOTONIC_COARSE>);
  add_timer(group, "TimerType::ClockMonotonicRaw", clock_ns<CLOCK_MONOTONIC_RAW>);
  add_timer(group, "TimerType::ClockBoottime", clock_ns<CLOCK_BOOTTIME>);
  add_timer(group, "TimerType::ClockTai", clock_ns<CLOCK_TAI>);
  add_timer(group, "TimerType::ClockProcessCpu", clock_ns<CLOCK_PROCESS_CPUTIME_ID>);
  add_timer(group, "TimerType::ClockThreadCpu", clock_ns<CLOCK_THREAD_CPUTIME_ID>);
  add_timer(group, "TimerType::GetTimeOfDay", time_of_day_us);
  add_timer(group, "TimerType::Time", seconds, check_seconds);
}

void add_chrono_clocks(Group& group) {
  using namespace std::chrono;
  add_timer(group, "TimerType::ChronoSystem", chrono_ticks<system_clock>);
  add_timer(group, "TimerType::ChronoSteady", chrono_ticks<steady_clock>);
  add_timer(group, "TimerType::ChronoHighResolution", chrono_ticks<high_resolution_clock>);
}

}  // namespace

Group group() {
  Group group;
  add_kernel_clocks(group);
  add_chrono_clocks(group);
  add_optional_parts(group);
  return group;
}

}  // namespace assay::primitives
