// Boost's pairing heap, which can remove any element.
#include <assay/primitives/timer_queue/timer_queue_group.hpp>

#include <boost/heap/pairing_heap.hpp>

namespace assay::primitives {
namespace {

class PairingHeap {
 public:
  static constexpr std::string_view name = "TimerQueueType::PairingHeap";
  explicit PairingHeap(std::size_t timers) : places_(timers) {}

  void add(TimerId id, Tick due) { places_[id] = heap_.push({due, id}); }
  void cancel(TimerId id) { heap_.erase(places_[id]); }

  template <class Sink>
  void expire(Tick now, Sink sink) {
    while (!heap_.empty() && heap_.top().due <= now) {
      const TimerId id = heap_.top().id;
      heap_.pop();
      sink(id);
    }
  }

 private:
  struct Entry {
    Tick due;
    TimerId id;
    bool operator<(const Entry& other) const { return due > other.due; }
  };
  using Queue = boost::heap::pairing_heap<Entry>;
  Queue heap_;
  std::vector<Queue::handle_type> places_;
};

}  // namespace

const OptionalPart pairing_heap_part([](Group& group) { add_timer_queue<PairingHeap>(group); });

}  // namespace assay::primitives
