// Purpose: the queues that the `stream` group compares, with one interface: messages of one size,
// sent by one thread and received by the same or by another.
//
//   StreamType::MutexAndCondition stream(Shape{.items = 64, .size = 16});
//   while (!stream.try_send(message)) ...   // false: full, receive something first
//   stream.receive(into);                   // waits
//
// Thread safety: one sender and one receiver, in two threads where `two_threads` says so. Cost: in
// all of them each send copies the message, and each receive moves or copies it out.
#pragma once

#include <assay/primitives/group.hpp>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::primitives {

struct Shape {
  std::size_t items;  // most messages that are in the queue at once
  std::size_t size;   // bytes of one message
};

struct StreamType {
  /// A std::deque without a lock, for a program without threads.
  class Deque {
   public:
    static constexpr std::string_view name = "StreamType::Deque";
    static constexpr Sharing sharing = Sharing::single_threaded;

    explicit Deque(Shape) {}
    bool try_send(const std::string& message) {
      messages_.push_back(message);
      return true;
    }
    void receive(std::string& into) {
      into = std::move(messages_.front());
      messages_.pop_front();
    }

   private:
    std::deque<std::string> messages_;
  };

  class MutexAndCondition {
   public:
    static constexpr std::string_view name = "StreamType::MutexAndCondition";
    static constexpr Sharing sharing = Sharing::thread_safe;

    explicit MutexAndCondition(Shape) {}
    bool try_send(const std::string& message) {
      {
        const std::lock_guard lock(mutex_);
        messages_.push_back(message);
      }
      condition_.notify_one();
      return true;
    }
    void receive(std::string& into) {
      std::unique_lock lock(mutex_);
      condition_.wait(lock, [this] { return !messages_.empty(); });
      into = std::move(messages_.front());
      messages_.pop_front();
    }

   private:
    std::mutex mutex_;
    std::condition_variable condition_;
    std::deque<std::string> messages_;
  };

  /// A ring in memory, and an eventfd to wait on: two system calls a message.
  class EventFd {
   public:
    static constexpr std::string_view name = "StreamType::EventFd";
    static constexpr Sharing sharing = Sharing::thread_safe;

    explicit EventFd(Shape shape);
    ~EventFd();
    EventFd(const EventFd&) = delete;
    EventFd& operator=(const EventFd&) = delete;
    bool try_send(const std::string& message);
    void receive(std::string& into);

   private:
    std::vector<std::string> ring_;
    std::atomic<std::size_t> sent_{0};
    std::atomic<std::size_t> received_{0};
    int counter_;
  };

  /// A pipe, so that the bytes go through the kernel. How much one thread may send before it has
  /// to receive is limited by the number of pages of the pipe.
  class Pipe {
   public:
    static constexpr std::string_view name = "StreamType::Pipe";
    static constexpr Sharing sharing = Sharing::thread_safe;

    explicit Pipe(Shape shape);
    ~Pipe();
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    bool try_send(const std::string& message);
    void send(const std::string& message);  // blocks where try_send would return false
    void receive(std::string& into);

   private:
    std::size_t size_;
    std::size_t most_under_way_{0};
    std::atomic<std::size_t> sent_{0};
    std::atomic<std::size_t> received_{0};
    int reading_{-1};
    int writing_{-1};
  };
};

}  // namespace assay::primitives
