// Purpose: the benchmarks of a queue of timers, and the check before them: each timer that is due
// expires once, the earliest first; none that was cancelled expires, and none too early.
//
//   add_timer_queue<TimerQueueType::Wheel>(group);
//
// Thread safety: none. Cost to the measurement: drawing a random number for each timer that is set,
// about 2 ns, the same for all queues.
#pragma once

#include <assay/base/random.hpp>
#include <assay/primitives/measured.hpp>
#include <assay/primitives/timer_queue/timer_queue_types.hpp>

#include <algorithm>
#include <memory>
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

/// What happens to timers: how many are restarted, that is cancelled and set anew, in each tick.
struct Mix {
  /// Like timeouts of a server, nearly all of which are cancelled because the answer came in time.
  struct MostlyCancelled {
    static constexpr std::string_view name = "Mix::MostlyCancelled";
    static constexpr int restarts = 15;
  };
  /// Like sleeps: every timer expires.
  struct AllExpire {
    static constexpr std::string_view name = "Mix::AllExpire";
    static constexpr int restarts = 0;
  };
};

/// A queue that always holds the same number of timers: a timer that is cancelled or expires is set
/// anew. Delays are up to twice as many ticks as there are timers, so that without restarts about
/// one timer expires in each tick.
template <class Queue>
class Load {
 public:
  explicit Load(std::size_t timers) : timers_(timers), queue_(timers) {
    for (std::size_t id = 0; id < timers; ++id) set(static_cast<TimerId>(id));
    // A thousand expiries before timing, because the first ones pay for work that add() put off: 40
    // ms in a pairing heap of a million timers.
    for (int i = 0; i < 1'000; ++i) advance(0);
  }

  /// Advances one tick, with that many restarts; with 0 restarts, as many ticks as it takes until a
  /// timer expires.
  void advance(int restarts) {
    const std::int64_t before = expired_;
    do {
      for (int i = 0; i < restarts; ++i) restart(static_cast<TimerId>(random_.below(timers_)));
      tick();
    } while (restarts == 0 && expired_ == before);
  }

  [[nodiscard]] std::int64_t expired() const { return expired_; }

 private:
  void set(TimerId id) { queue_.add(id, now_ + 1 + random_.below(2 * timers_)); }
  void tick() {
    queue_.expire(++now_, [this](TimerId id) {
      ++expired_;
      set(id);
    });
  }
  void restart(TimerId id) {
    queue_.cancel(id);
    set(id);
  }

  std::size_t timers_;
  Queue queue_;
  Random random_{1729};
  Tick now_ = 0;
  std::int64_t expired_ = 0;
};

/// The Load used last. The pointer is never destroyed: freeing a million nodes of a tree would take
/// half a second in every launch.
inline std::shared_ptr<void>& last_prepared() {
  static auto* const load = new std::shared_ptr<void>;
  return *load;
}

/// A Load of that many timers, kept from the last call if it fits. Google Benchmark calls a
/// benchmark several times to find its number of iterations, and a million timers should be set
/// only once.
template <class Queue, class Kind>
std::shared_ptr<Load<Queue>> kept_load(std::size_t timers) {
  static std::weak_ptr<Load<Queue>> made;
  static std::size_t made_for = 0;
  auto load = made.lock();
  if (!load || made_for != timers) load = std::make_shared<Load<Queue>>(timers);
  made = load;
  made_for = timers;
  last_prepared() = load;
  return load;
}

/// Times a timer's life, which counts as one item: it was set, and then cancelled or expired.
template <class Queue, class Kind>
void live(benchmark::State& state) {
  const auto load = kept_load<Queue, Kind>(static_cast<std::size_t>(state.range(0)));
  const std::int64_t before = load->expired();
  Measured measured(state);
  for (auto _ : state) load->advance(Kind::restarts);
  measured.done({});
  const std::int64_t expired = load->expired() - before;
  state.SetItemsProcessed(state.iterations() * Kind::restarts + expired);
}

inline void thousand_to_a_million(benchmark::internal::Benchmark& made) {
  made.ArgName("timers")->Arg(1'000)->Arg(30'000)->Arg(1'000'000);
}

template <class Queue, class Kind>
void add_mix(Group& group) {
  group.add({.name = name_of<Queue, Kind>("bench_timer_queue_life"),
             .sharing = Sharing::single_threaded,
             .check = check_timer_queue<Queue>,
             .loop = live<Queue, Kind>,
             .shape = thousand_to_a_million});
}

template <class Queue>
void add_timer_queue(Group& group) {
  add_mix<Queue, Mix::MostlyCancelled>(group);
  add_mix<Queue, Mix::AllExpire>(group);
}

}  // namespace assay::primitives
