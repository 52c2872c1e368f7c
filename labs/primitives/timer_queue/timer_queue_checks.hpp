// Purpose: checks a queue of timers before it is timed: each timer that is due expires once, the
// earliest first; none that was cancelled expires, and none too early.
//
//   if (const Problem problem = check_timer_queue<TimerQueueType::Wheel>()) ...
//
// Thread safety: pure. Cost: none to measurements.
#pragma once

#include <assay/primitives/timer_queue/timer_queue_types.hpp>

#include <assay/base/random.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace assay::primitives {

/// For each timer, the tick at which it is due; nothing if it is not set. A slow model that is easy
/// to verify.
using TimerModel = std::vector<std::optional<Tick>>;

inline std::vector<Tick> due_in(const TimerModel& model, Tick now) {
  std::vector<Tick> due;
  for (const auto& timer : model) {
    if (timer && *timer <= now) due.push_back(*timer);
  }
  std::sort(due.begin(), due.end());
  return due;
}

template <class Queue>
Problem expire_both(Queue& queue, TimerModel& model, Tick now) {
  const std::vector<Tick> wanted = due_in(model, now);
  std::vector<Tick> seen;
  Problem problem;
  queue.expire(now, [&](TimerId id) {
    if (!model[id] && !problem) {
      problem = "timer " + std::to_string(id) + " expired at tick " + std::to_string(now) +
                " and was not set";
    }
    seen.push_back(model[id].value_or(0));
    model[id].reset();
  });
  if (problem || seen == wanted) return problem;
  if (seen.size() == wanted.size()) return "timers did not expire in the order of their ticks";
  return std::to_string(seen.size()) + " timers expired at tick " + std::to_string(now) + ", not " +
         std::to_string(wanted.size());
}

/// Draws a timer at random and, in both queue and model, cancels it if it is set and sets it
/// otherwise. Some delays are longer than one turn of a timer wheel.
template <class Queue>
void change_both(Queue& queue, TimerModel& model, Tick now, Random& random) {
  const auto id = static_cast<TimerId>(random.below(model.size()));
  if (model[id]) {
    queue.cancel(id);
    model[id].reset();
    return;
  }
  const Tick delay = 1 + random.below(random.below(2) == 0 ? 100 : 300'000);
  model[id] = now + delay;
  queue.add(id, now + delay);
}

template <class Queue>
Problem check_timer_queue() {
  Random random(1729);
  TimerModel model(64);
  Queue queue(model.size());
  Tick now = 0;
  for (int step = 0; step < 400; ++step) {
    for (int change = 0; change < 20; ++change) change_both(queue, model, now, random);
    now += random.below(random.below(20) == 0 ? 200'000 : 40);
    if (auto problem = expire_both(queue, model, now)) return problem;
  }
  return expire_both(queue, model, now + 1'000'000);
}

}  // namespace assay::primitives
