// Purpose: the ways of passing a value that becomes available later, with one interface, and the
// check before one is timed: what was put in comes out, each time.
//
//   FutureType::PromiseToWorker type;
//   type.hand_over(7);   // gives 7, by way of a promise, a task or another thread
//   if (const Problem problem = check_hand_over<FutureType::Promise>()) ...
//
// Thread safety: one thread calls; some have a worker thread of their own, which ends when they
// are destroyed. Cost: that of the way; the check costs measurements nothing.
#pragma once

#include <assay/primitives/group.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <future>
#include <string>
#include <string_view>
#include <thread>

namespace assay::primitives {

/// A thread that sets the values of the promises that it is given, and sleeps in between.
class Worker {
 public:
  struct Order {
    std::promise<std::uint64_t> promise;
    std::uint64_t value = 0;
  };

  Worker() : thread_([this] { run(); }) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    is_over_ = true;
    give(nullptr);
    thread_.join();
  }

  /// Gives the worker an order. Only one thread may call this, and only after the worker has set
  /// the value of the order before.
  void give(Order* order) {
    order_.store(order);
    posted_.fetch_add(1);
    posted_.notify_one();
  }

 private:
  void run() {
    for (std::uint32_t seen = 0;; ++seen) {
      posted_.wait(seen);
      if (is_over_) return;
      Order* const order = order_.load();
      order->promise.set_value(order->value);
    }
  }

  std::atomic<std::uint32_t> posted_{0};
  std::atomic<Order*> order_{nullptr};
  std::atomic<bool> is_over_{false};
  std::thread thread_;
};

struct FutureType {
  struct PlainVariable {
    static constexpr std::string_view name = "FutureType::PlainVariable";
    static std::uint64_t hand_over(std::uint64_t value) { return value; }
  };

  struct Promise {
    static constexpr std::string_view name = "FutureType::Promise";
    static std::uint64_t hand_over(std::uint64_t value) {
      std::promise<std::uint64_t> promise;
      auto future = promise.get_future();
      promise.set_value(value);
      return future.get();
    }
  };

  struct PackagedTask {
    static constexpr std::string_view name = "FutureType::PackagedTask";
    static std::uint64_t hand_over(std::uint64_t value) {
      std::packaged_task<std::uint64_t()> task([value] { return value; });
      auto future = task.get_future();
      task();
      return future.get();
    }
  };

  struct AsyncDeferred {
    static constexpr std::string_view name = "FutureType::AsyncDeferred";
    static std::uint64_t hand_over(std::uint64_t value) {
      return std::async(std::launch::deferred, [value] { return value; }).get();
    }
  };

  struct AsyncThread {
    static constexpr std::string_view name = "FutureType::AsyncThread";
    static std::uint64_t hand_over(std::uint64_t value) {
      return std::async(std::launch::async, [value] { return value; }).get();
    }
  };

  struct ThreadAndJoin {
    static constexpr std::string_view name = "FutureType::ThreadAndJoin";
    static std::uint64_t hand_over(std::uint64_t value) {
      std::uint64_t received = 0;
      std::thread([&received, value] { received = value; }).join();
      return received;
    }
  };

  struct PromiseToWorker {
    static constexpr std::string_view name = "FutureType::PromiseToWorker";
    std::uint64_t hand_over(std::uint64_t value) {
      // Two orders in turn, because set_value() may still use the last promise when get() has
      // returned.
      Worker::Order& order = orders_.at(++turn_ % 2);
      order = {.promise = {}, .value = value};
      auto future = order.promise.get_future();
      worker_.give(&order);
      return future.get();
    }

   private:
    std::array<Worker::Order, 2> orders_;
    std::size_t turn_ = 0;
    Worker worker_;  // destroyed first: its thread uses orders_
  };
};

template <class Type>
Problem check_hand_over() {
  Type type;
  for (std::uint64_t value = 1; value <= 100; ++value) {
    const std::uint64_t received = type.hand_over(value * value);
    if (received == value * value) continue;
    return std::to_string(value * value) + " was handed over and " + std::to_string(received) +
           " received";
  }
  return {};
}

}  // namespace assay::primitives
