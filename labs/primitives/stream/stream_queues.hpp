// Purpose: third parties' queues with the interface of stream_types.hpp, in their variants in which
// the receiver blocks until a message comes.
//
//   ThirdParty::ConcurrentQueue stream(shape);
//
// Thread safety: one sender and one receiver here; ConcurrentQueue and TbbBoundedQueue take
// any number. Cost: that of the queue.
#pragma once

#include <assay/primitives/stream/stream_types.hpp>

#include <concurrentqueue/blockingconcurrentqueue.h>
#include <readerwriterqueue/readerwriterqueue.h>
#include <tbb/concurrent_queue.h>

namespace assay::primitives {

struct ThirdParty {
  class ConcurrentQueue {
   public:
    static constexpr std::string_view name = "StreamType::ConcurrentQueue";
    static constexpr Sharing sharing = Sharing::thread_safe;

    explicit ConcurrentQueue(Shape shape) : queue_(shape.items) {}
    bool try_send(const std::string& message) { return queue_.enqueue(message); }
    void receive(std::string& into) { queue_.wait_dequeue(into); }

   private:
    moodycamel::BlockingConcurrentQueue<std::string> queue_;
  };

  class ReaderWriterQueue {
   public:
    static constexpr std::string_view name = "StreamType::ReaderWriterQueue";
    static constexpr Sharing sharing = Sharing::thread_safe;

    explicit ReaderWriterQueue(Shape shape) : queue_(shape.items) {}
    bool try_send(const std::string& message) { return queue_.enqueue(message); }
    void receive(std::string& into) { queue_.wait_dequeue(into); }

   private:
    moodycamel::BlockingReaderWriterQueue<std::string> queue_;
  };

  class TbbBoundedQueue {
   public:
    static constexpr std::string_view name = "StreamType::TbbBoundedQueue";
    static constexpr Sharing sharing = Sharing::thread_safe;

    explicit TbbBoundedQueue(Shape shape) {
      queue_.set_capacity(static_cast<std::ptrdiff_t>(shape.items));
    }
    bool try_send(const std::string& message) { return queue_.try_push(message); }
    void receive(std::string& into) { queue_.pop(into); }

   private:
    tbb::concurrent_bounded_queue<std::string> queue_;
  };
};

}  // namespace assay::primitives
