#include <assay/system/clock.hpp>

#include <algorithm>
#include <ctime>
#include <limits>

namespace assay {
namespace {

constexpr int rounds = 20;
constexpr int reads_per_round = 500;

struct Round {
  std::int64_t smallest_step_ns{std::numeric_limits<std::int64_t>::max()};
  double cost_ns{0};
};

Round read_often(const std::function<std::int64_t()>& clock) {
  Round round;
  const std::int64_t first = clock();
  std::int64_t last = first;
  for (int i = 0; i < reads_per_round; ++i) {
    const std::int64_t now = clock();
    if (now != last) round.smallest_step_ns = std::min(round.smallest_step_ns, now - last);
    last = now;
  }
  round.cost_ns = static_cast<double>(last - first) / reads_per_round;
  return round;
}

}  // namespace

std::int64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

ClockQuality measure_clock(const std::function<std::int64_t()>& clock) {
  Round best = read_often(clock);
  for (int i = 1; i < rounds; ++i) {
    const Round round = read_often(clock);
    best.smallest_step_ns = std::min(best.smallest_step_ns, round.smallest_step_ns);
    // A round with a higher cost was interrupted.
    best.cost_ns = std::min(best.cost_ns, round.cost_ns);
  }
  const bool never_moved = best.smallest_step_ns == std::numeric_limits<std::int64_t>::max();
  return {.resolution_ns = never_moved ? 0 : best.smallest_step_ns, .cost_ns = best.cost_ns};
}

}  // namespace assay
