// Purpose: the queues of timers that the `timer_queue` group compares, with one interface.
//
//   TimerQueueType::Wheel queue(1'000);        // timers have numbers below 1000
//   queue.add(7, 12'000);                      // timer 7 is due at tick 12000
//   queue.cancel(7);                           // it was added and is not due yet
//   queue.expire(12'000, [](TimerId id) {});   // what is due by then, the earliest first
//
// A timer may be added again only after it was cancelled or has expired; `expire` must be called
// with ticks that do not go back. Thread safety: none. Cost: that of the queue, and a word or two
// for each timer, by which cancel() finds it.
#pragma once

#include <assay/primitives/group.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <queue>
#include <string_view>
#include <vector>

namespace assay::primitives {

using TimerId = std::uint32_t;
using Tick = std::uint64_t;

struct TimerQueueType {
  /// A binary heap. std::priority_queue can remove only its first element, so a cancelled timer
  /// stays until its due tick, or until more than half are cancelled and all those are removed
  /// together.
  class Heap {
   public:
    static constexpr std::string_view name = "TimerQueueType::Heap";
    explicit Heap(std::size_t timers) : generations_(timers) {}

    void add(TimerId id, Tick due) { heap_.push({due, id, generations_[id]}); }

    void cancel(TimerId id) {
      ++generations_[id];
      if (++cancelled_ <= heap_.size() / 2) return;
      heap_.keep([this](const Entry& entry) { return is_set(entry); });
      cancelled_ = 0;
    }

    template <class Sink>
    void expire(Tick now, Sink sink) {
      while (!heap_.empty() && heap_.top().due <= now) {
        const Entry entry = heap_.top();
        heap_.pop();
        if (is_set(entry)) {
          ++generations_[entry.id];
          sink(entry.id);
        } else {
          --cancelled_;
        }
      }
    }

   private:
    struct Entry {
      Tick due;
      TimerId id;
      std::uint32_t generation;
      bool operator<(const Entry& other) const { return due > other.due; }
    };
    struct Queue : std::priority_queue<Entry> {
      template <class Keep>
      void keep(const Keep& wanted) {
        std::erase_if(c, [&wanted](const Entry& entry) { return !wanted(entry); });
        std::make_heap(c.begin(), c.end(), comp);
      }
    };
    [[nodiscard]] bool is_set(const Entry& entry) const {
      return entry.generation == generations_[entry.id];
    }

    Queue heap_;
    std::vector<std::uint32_t> generations_;
    std::size_t cancelled_ = 0;
  };

  class Multimap {
   public:
    static constexpr std::string_view name = "TimerQueueType::Multimap";
    explicit Multimap(std::size_t timers) : places_(timers) {}

    void add(TimerId id, Tick due) { places_[id] = map_.emplace(due, id); }
    void cancel(TimerId id) { map_.erase(places_[id]); }

    template <class Sink>
    void expire(Tick now, Sink sink) {
      while (!map_.empty() && map_.begin()->first <= now) {
        const TimerId id = map_.begin()->second;
        map_.erase(map_.begin());
        sink(id);
      }
    }

   private:
    using Map = std::multimap<Tick, TimerId>;
    Map map_;
    std::vector<Map::iterator> places_;
  };

  /// Varghese and Lauck's hashed timing wheel: a slot for each tick modulo the number of slots,
  /// with a list of its timers, which also contains those that are due only in later turns.
  class Wheel {
   public:
    static constexpr std::string_view name = "TimerQueueType::Wheel";
    explicit Wheel(std::size_t timers) : slots_(slot_count, nobody), timers_(timers) {}

    void add(TimerId id, Tick due) {
      // A timer whose due tick is past is put into the next tick's slot.
      TimerId& first = slots_[slot_of(due > now_ ? due : now_ + 1)];
      timers_[id] = {.due = due, .next = first, .previous = nobody};
      if (first != nobody) timers_[first].previous = id;
      first = id;
    }

    void cancel(TimerId id) {
      const Timer& timer = timers_[id];
      if (timer.next != nobody) timers_[timer.next].previous = timer.previous;
      TimerId& before = timer.previous == nobody
                            ? slots_[slot_of(timer.due > now_ ? timer.due : now_ + 1)]
                            : timers_[timer.previous].next;
      before = timer.next;
    }

    template <class Sink>
    void expire(Tick now, Sink sink) {
      while (now_ < now) {
        const Tick tick = now_ + 1;
        for (TimerId id = slots_[slot_of(tick)]; id != nobody;) {
          const TimerId next = timers_[id].next;
          if (timers_[id].due <= tick) {
            cancel(id);
            due_.push_back(id);
          }
          id = next;
        }
        now_ = tick;
        for (const TimerId id : due_) sink(id);
        due_.clear();
      }
    }

   private:
    static constexpr std::size_t slot_count = std::size_t{1} << 16U;
    static constexpr TimerId nobody = std::numeric_limits<TimerId>::max();
    struct Timer {
      Tick due = 0;
      TimerId next = nobody;
      TimerId previous = nobody;
    };
    static std::size_t slot_of(Tick due) { return due % slot_count; }

    std::vector<TimerId> slots_;
    std::vector<Timer> timers_;
    std::vector<TimerId> due_;
    Tick now_ = 0;
  };
};

}  // namespace assay::primitives
