// Purpose: sends messages through a stream and receives them all, in one thread or from one to
// another.
//
//   OneThread<StreamType::Deque, CountingSink> runner(shape);
//   runner.deliver(items, [&](std::size_t) -> const std::string& { return message; });
//   runner.sink().count;                        // once deliver() is back
//
// Thread safety: deliver() from one thread. TwoThreads keeps its receiver from construction
// to destruction, asleep in receive(). Cost: CountingSink reads one byte of each message; with two
// threads, each deliver() waits once for the receiver.
#pragma once

#include <assay/primitives/stream/stream_types.hpp>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace assay::primitives {

constexpr char quit_mark = 'q';  // first byte of the message that ends the receiver

/// A sink that reads a byte of every message, so that the compiler cannot leave out receiving it.
struct CountingSink {
  std::size_t count = 0;
  std::uint64_t sum = 0;
  void take(const std::string& message) {
    ++count;
    sum += static_cast<unsigned char>(message.front());
  }
};

struct Threads {
  struct One {
    static constexpr std::string_view name = "Threads::One";
  };
  struct Two {
    static constexpr std::string_view name = "Threads::Two";
  };
};

template <class Stream, class Sink>
class OneThread {
 public:
  using Condition = Threads::One;
  explicit OneThread(Shape shape) : stream_(shape) {}

  /// Sends as many messages as the stream holds, receives those, and repeats that until all are
  /// received.
  template <class Source>
  void deliver(std::size_t items, const Source& source) {
    std::size_t sent = 0;
    std::size_t received = 0;
    while (received < items) {
      while (sent < items && stream_.try_send(source(sent))) ++sent;
      for (; received < sent; ++received) {
        stream_.receive(into_);
        sink_.take(into_);
      }
    }
  }

  [[nodiscard]] const Sink& sink() const { return sink_; }

 private:
  Stream stream_;
  Sink sink_;
  std::string into_;
};

template <class Stream, class Sink>
class TwoThreads {
 public:
  using Condition = Threads::Two;
  explicit TwoThreads(Shape shape)
      : size_(shape.size), stream_(shape), receiver_([this] { receive(); }) {}
  ~TwoThreads() {
    send(std::string(size_, quit_mark));
    receiver_.join();
  }
  TwoThreads(const TwoThreads&) = delete;
  TwoThreads& operator=(const TwoThreads&) = delete;

  template <class Source>
  void deliver(std::size_t items, const Source& source) {
    wanted_ += items;
    const std::uint32_t batch = finished_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < items; ++i) {
      if (i + 1 == items) last_.store(wanted_, std::memory_order_relaxed);
      send(source(i));
    }
    finished_.wait(batch, std::memory_order_acquire);
  }

  [[nodiscard]] const Sink& sink() const { return sink_; }

 private:
  void send(const std::string& message) {
    if constexpr (requires { stream_.send(message); }) {
      stream_.send(message);
    } else {
      while (!stream_.try_send(message)) std::this_thread::yield();
    }
  }

  void receive() {
    std::string into;
    std::size_t received = 0;
    for (;;) {
      stream_.receive(into);
      if (into.front() == quit_mark) return;
      sink_.take(into);
      if (++received == last_.load(std::memory_order_relaxed)) announce();
    }
  }

  void announce() {
    finished_.fetch_add(1, std::memory_order_release);
    finished_.notify_one();
  }

  std::size_t size_;
  Stream stream_;
  Sink sink_;
  std::size_t wanted_{0};
  // Total number of messages; set before the last one is sent, so that the receiver recognises it.
  std::atomic<std::size_t> last_{0};
  std::atomic<std::uint32_t> finished_{0};
  std::thread receiver_;
};

}  // namespace assay::primitives
