// Purpose: the least a program needs of coroutines: a lazy task that is awaited, a generator,
// a coroutine that is resumed step by step.
//
//   Task child(std::uint64_t value) { co_return value; }
//   std::uint64_t got = co_await child(3);
//   for (Generator numbers = count_to(9); numbers.next();) use(numbers.value());
//
// Thread safety: none; one thread resumes. Cost: a frame from the heap for each coroutine. A
// compiler may leave that out where it sees the coroutine's whole life, which the benchmarks
// prevent.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

namespace assay::primitives {

// Names the language asks for. NOLINTBEGIN(readability-identifier-naming)

/// Starts when awaited. Control is transferred symmetrically to it and back: by a jump from one
/// coroutine to the other instead of a call, which would let the stack grow.
class Task {
 public:
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;

  struct ToContinuation {
    [[nodiscard]] bool await_ready() const noexcept { return false; }
    [[nodiscard]] std::coroutine_handle<> await_suspend(Handle ended) const noexcept {
      return ended.promise().continuation;
    }
    void await_resume() const noexcept {}
  };

  struct promise_type {
    std::uint64_t value = 0;
    std::coroutine_handle<> continuation = std::noop_coroutine();

    Task get_return_object() { return Task(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    ToContinuation final_suspend() noexcept { return {}; }
    void return_value(std::uint64_t returned) { value = returned; }
    void unhandled_exception() { std::terminate(); }
  };

  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&&) = delete;
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() {
    if (handle_) handle_.destroy();
  }

  [[nodiscard]] bool await_ready() const noexcept { return false; }
  [[nodiscard]] std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) const {
    handle_.promise().continuation = awaiting;
    return handle_;
  }
  [[nodiscard]] std::uint64_t await_resume() const { return handle_.promise().value; }

  /// Runs the outermost task, which no coroutine awaits, and returns its value.
  std::uint64_t run() {
    handle_.resume();
    return handle_.promise().value;
  }

 private:
  Handle handle_;
};

/// Suspends at every co_yield, until next() asks for more.
class Generator {
 public:
  struct promise_type {
    std::uint64_t value = 0;

    Generator get_return_object() { return Generator(Handle::from_promise(*this)); }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(std::uint64_t yielded) noexcept {
      value = yielded;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
  using Handle = std::coroutine_handle<promise_type>;

  explicit Generator(Handle handle) : handle_(handle) {}
  Generator(Generator&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Generator& operator=(Generator&&) = delete;
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  ~Generator() {
    if (handle_) handle_.destroy();
  }

  bool next() {
    handle_.resume();
    return !handle_.done();
  }
  [[nodiscard]] std::uint64_t value() const { return handle_.promise().value; }

 private:
  Handle handle_;
};

// NOLINTEND(readability-identifier-naming)

}  // namespace assay::primitives
