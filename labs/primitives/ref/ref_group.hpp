// Purpose: the benchmarks of a pointer (make, copy, move, and copy while another thread copies it),
// and the checks before them: the object must be destroyed once, when its last reference is
// dropped.
//
//   add_copyable<RefType::SharedPointer>(group);
//
// Thread safety: main thread; check_contended_copy starts threads of its own. Cost: none to the
// measurement.
#pragma once

#include <assay/primitives/group.hpp>
#include <assay/primitives/measured.hpp>
#include <assay/primitives/ref/ref_types.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>

namespace assay::primitives {

/// Counts how many objects of it are alive.
class Counted {
 public:
  explicit Counted(std::atomic<int>& alive) : alive_(alive) { ++alive_; }
  ~Counted() { --alive_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  [[nodiscard]] int alive() const { return alive_; }

 private:
  std::atomic<int>& alive_;
};

inline Problem expect_alive(int wanted, int alive, const char* when) {
  if (alive == wanted) return {};
  return std::to_string(alive) + " objects alive " + when + ", not " + std::to_string(wanted);
}

template <class Type>
Problem check_create_and_destroy() {
  std::atomic<int> alive = 0;
  auto ref = Type::template make<Counted>(alive);
  if (auto problem = expect_alive(1, ref->alive(), "after making one")) return problem;
  Type::drop(ref);
  return expect_alive(0, alive, "after dropping it");
}

/// Checks that a copy keeps the object alive, unless the pointer is a raw one.
template <class Type>
Problem check_copy() {
  std::atomic<int> alive = 0;
  auto ref = Type::template make<Counted>(alive);
  auto copy = ref;
  if (&*copy != &*ref) return "a copy refers to another object";
  if constexpr (Type::counts) {
    Type::drop(ref);
    if (auto problem = expect_alive(1, alive, "with a reference left")) return problem;
  }
  Type::drop(copy);
  return expect_alive(0, alive, "after the last was dropped");
}

template <class Type>
Problem check_move() {
  std::atomic<int> alive = 0;
  auto ref = Type::template make<Counted>(alive);
  auto moved = std::move(ref);
  if (auto problem = expect_alive(1, moved->alive(), "after a move")) return problem;
  Type::drop(moved);
  return expect_alive(0, alive, "after the target was dropped");
}

/// Checks that copies made by two threads at once are counted. Where counts are lost, the object is
/// destroyed too early or never.
template <class Type>
Problem check_contended_copy() {
  std::atomic<int> alive = 0;
  auto ref = Type::template make<Counted>(alive);
  const auto copies = [&ref] {
    for (int i = 0; i < 20'000; ++i) {
      auto copy = ref;
      if constexpr (Type::counts) Type::drop(copy);
    }
  };
  std::array threads{std::thread(copies), std::thread(copies)};
  for (std::thread& thread : threads) thread.join();
  if (auto problem = expect_alive(1, alive, "after copying in two threads")) return problem;
  Type::drop(ref);
  return expect_alive(0, alive, "after the last was dropped");
}

struct Object {
  std::uint64_t value = 42;
};

/// libstdc++ counts without atomics in a process that never had a second thread: a
/// shared_ptr would look four times as cheap as it is in any program worth measuring.
inline void have_had_threads() {
  static const bool done = (std::thread([] {}).join(), true);
  benchmark::DoNotOptimize(done);
}

template <class Type>
void bench_create_and_destroy(benchmark::State& state) {
  have_had_threads();
  Measured measured(state);
  for (auto _ : state) {
    auto ref = Type::template make<Object>();
    benchmark::DoNotOptimize(ref);
    Type::drop(ref);
  }
  measured.done({});
}

template <class Type>
void bench_copy(benchmark::State& state) {
  have_had_threads();
  auto ref = Type::template make<Object>();
  Measured measured(state);
  for (auto _ : state) {
    benchmark::DoNotOptimize(ref);
    auto copied = ref;
    benchmark::DoNotOptimize(copied);
  }
  measured.done({});
  Type::drop(ref);
}

/// Times moving a pointer away and back, so that every iteration begins with the same pointers.
template <class Type>
void bench_move(benchmark::State& state) {
  have_had_threads();
  auto ref = Type::template make<Object>();
  Measured measured(state);
  for (auto _ : state) {
    auto moved = std::move(ref);
    benchmark::DoNotOptimize(moved);
    ref = std::move(moved);
    benchmark::DoNotOptimize(ref);
  }
  measured.done({.items = 2});
  Type::drop(ref);
}

/// A thread that copies one reference over and over, from construction to destruction of this
/// object. Google Benchmark's Threads(2) does not wait for both threads to run: in a short run the
/// first may have ended before the second begins.
template <class Ref>
class OtherCopier {
 public:
  explicit OtherCopier(const Ref& ref) : ref_(ref), thread_([this] { copy(); }) {
    // It spins instead of sleeping, so that the scheduler gives the other thread another CPU.
    while (!runs_.load(std::memory_order_acquire)) std::this_thread::yield();
  }
  ~OtherCopier() {
    stops_.store(true, std::memory_order_relaxed);
    thread_.join();
  }
  OtherCopier(const OtherCopier&) = delete;
  OtherCopier& operator=(const OtherCopier&) = delete;

 private:
  void copy() {
    runs_.store(true, std::memory_order_release);
    while (!stops_.load(std::memory_order_relaxed)) {
      auto copied = ref_;
      benchmark::DoNotOptimize(copied);
    }
  }

  const Ref& ref_;
  std::atomic<bool> runs_{false};
  std::atomic<bool> stops_{false};
  std::thread thread_;
};

/// Times copies while another thread copies the same reference, so that the cache line with the
/// count moves between two CPUs.
template <class Type>
void bench_contended_copy(benchmark::State& state) {
  auto ref = Type::template make<Object>();
  {
    const OtherCopier other(ref);
    Measured measured(state);
    for (auto _ : state) {
      benchmark::DoNotOptimize(ref);
      auto copied = ref;
      benchmark::DoNotOptimize(copied);
    }
    measured.done({});
  }
  Type::drop(ref);
}

inline void in_real_time(benchmark::internal::Benchmark& made) {
  made.UseRealTime();
}

template <class Type>
void add_any(Group& group) {
  group.add({.name = name_of<Type>("bench_ref_create_and_destroy"),
             .sharing = Type::sharing,
             .check = check_create_and_destroy<Type>,
             .loop = bench_create_and_destroy<Type>});
  group.add({.name = name_of<Type>("bench_ref_move"),
             .sharing = Type::sharing,
             .check = check_move<Type>,
             .loop = bench_move<Type>});
}

template <class Type>
void add_copyable(Group& group) {
  add_any<Type>(group);
  group.add({.name = name_of<Type>("bench_ref_copy"),
             .sharing = Type::sharing,
             .check = check_copy<Type>,
             .loop = bench_copy<Type>});
  if constexpr (Type::sharing == Sharing::single_threaded) return;
  group.add({.name = name_of<Type>("bench_ref_contended_copy"),
             .sharing = Type::sharing,
             .check = check_contended_copy<Type>,
             .loop = bench_contended_copy<Type>,
             .shape = in_real_time});
}

}  // namespace assay::primitives
