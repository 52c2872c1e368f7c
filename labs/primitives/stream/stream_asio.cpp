// A channel on Asio's executor, built by hand: Boost before 1.79 has no
// asio::experimental::channel, and if it were used only where it exists, times would not be
// comparable. Messages are posted to the executor; the receiver is an asio::awaitable that waits
// for the next.
#include <assay/primitives/stream/stream_group.hpp>

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace assay::primitives {
namespace {

namespace asio = boost::asio;

class Channel {
 public:
  explicit Channel(asio::io_context& context) : context_(context) {}

  /// Any thread may call this.
  void send(const std::string& message) {
    asio::post(context_, [this, message]() mutable { arrived(std::move(message)); });
  }

  /// Call it only in a coroutine that runs on this executor.
  asio::awaitable<std::string> receive() {
    if (messages_.empty()) co_await next_arrival();
    std::string message = std::move(messages_.front());
    messages_.pop_front();
    co_return message;
  }

 private:
  void arrived(std::string message) {
    messages_.push_back(std::move(message));
    if (waiting_) std::exchange(waiting_, nullptr)();
  }

  asio::awaitable<void> next_arrival() {
    return asio::async_initiate<const asio::use_awaitable_t<>, void()>(
        [this](auto handler) {
          auto kept = std::make_shared<decltype(handler)>(std::move(handler));
          waiting_ = [kept] { std::move (*kept)(); };
        },
        asio::use_awaitable);
  }

  asio::io_context& context_;
  std::deque<std::string> messages_;
  std::function<void()> waiting_;
};

struct AsioExecutorChannel {
  static constexpr std::string_view name = "StreamType::AsioExecutorChannel";
  static constexpr Sharing sharing = Sharing::thread_safe;
};

template <class Sink>
asio::awaitable<void> receive_all(Channel& channel, Sink& sink, std::function<bool()> go_on) {
  while (go_on()) sink.take(co_await channel.receive());
}

template <class, class Sink>
class AsioOneThread {
 public:
  using Condition = Threads::One;
  explicit AsioOneThread(Shape) : channel_(context_) {}

  template <class Source>
  void deliver(std::size_t items, const Source& source) {
    wanted_ += items;
    asio::co_spawn(context_, receive_all(channel_, sink_, [this] { return sink_.count < wanted_; }),
                   asio::detached);
    for (std::size_t i = 0; i < items; ++i) channel_.send(source(i));
    context_.run();
    context_.restart();
  }

  [[nodiscard]] const Sink& sink() const { return sink_; }

 private:
  asio::io_context context_{1};
  Channel channel_;
  Sink sink_;
  std::size_t wanted_{0};
};

template <class, class Sink>
class AsioTwoThreads {
 public:
  using Condition = Threads::Two;
  explicit AsioTwoThreads(Shape) : channel_(context_), runner_([this] { context_.run(); }) {}
  ~AsioTwoThreads() {
    stay_.reset();
    runner_.join();
  }
  AsioTwoThreads(const AsioTwoThreads&) = delete;
  AsioTwoThreads& operator=(const AsioTwoThreads&) = delete;

  template <class Source>
  void deliver(std::size_t items, const Source& source) {
    const std::uint32_t batch = finished_.load(std::memory_order_relaxed);
    asio::co_spawn(context_, receive(items), asio::detached);
    for (std::size_t i = 0; i < items; ++i) channel_.send(source(i));
    finished_.wait(batch, std::memory_order_acquire);
  }

  [[nodiscard]] const Sink& sink() const { return sink_; }

 private:
  asio::awaitable<void> receive(std::size_t items) {
    for (std::size_t i = 0; i < items; ++i) sink_.take(co_await channel_.receive());
    finished_.fetch_add(1, std::memory_order_release);
    finished_.notify_one();
  }

  asio::io_context context_;
  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> stay_{
      context_.get_executor()};
  Channel channel_;
  Sink sink_;
  std::atomic<std::uint32_t> finished_{0};
  std::thread runner_;
};

}  // namespace

const OptionalPart asio_channel_part([](Group& group) {
  add_stream<AsioOneThread, AsioExecutorChannel>(group);
  add_stream<AsioTwoThreads, AsioExecutorChannel>(group);
});

}  // namespace assay::primitives
