// A channel between two coroutines of one thread: the receiver is resumed where it waits.
#include <assay/primitives/stream/stream_group.hpp>

#include <coroutine>
#include <deque>
#include <exception>
#include <utility>

namespace assay::primitives {
namespace {

class Channel {
 public:
  void send(const std::string& message) {
    messages_.push_back(message);
    if (waiting_) std::exchange(waiting_, nullptr).resume();
  }

  auto receive() {
    struct Awaiter {
      Channel& channel;
      [[nodiscard]] bool await_ready() const { return !channel.messages_.empty(); }
      void await_suspend(std::coroutine_handle<> receiver) const { channel.waiting_ = receiver; }
      [[nodiscard]] std::string await_resume() const {
        std::string message = std::move(channel.messages_.front());
        channel.messages_.pop_front();
        return message;
      }
    };
    return Awaiter{*this};
  }

 private:
  std::deque<std::string> messages_;
  std::coroutine_handle<> waiting_;
};

/// A coroutine that starts at once; the destructor of this object destroys it.
class Task {
 public:
  // Names the language asks for. NOLINTBEGIN(readability-identifier-naming)
  struct promise_type {
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  // NOLINTEND(readability-identifier-naming)
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  ~Task() {
    if (handle_) handle_.destroy();
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  Task& operator=(Task&&) = delete;

 private:
  std::coroutine_handle<promise_type> handle_;
};

struct CoroutineChannel {
  static constexpr std::string_view name = "StreamType::CoroutineChannel";
  static constexpr Sharing sharing = Sharing::single_threaded;
};

template <class, class Sink>
class CoroutineRunner {
 public:
  using Condition = Threads::One;
  explicit CoroutineRunner(Shape) : receiver_(receive(channel_, sink_)) {}

  template <class Source>
  void deliver(std::size_t items, const Source& source) {
    for (std::size_t i = 0; i < items; ++i) channel_.send(source(i));
  }

  [[nodiscard]] const Sink& sink() const { return sink_; }

 private:
  static Task receive(Channel& channel, Sink& sink) {
    for (;;) sink.take(co_await channel.receive());
  }

  Channel channel_;
  Sink sink_;
  Task receiver_;
};

}  // namespace

const OptionalPart coroutine_channel_part([](Group& group) {
  add_stream<CoroutineRunner, CoroutineChannel>(group);
});

}  // namespace assay::primitives
