// Purpose: the benchmarks of a pointer: make, copy, move, and copy while another thread copies it.
//
//   add_copyable<RefType::SharedPointer>(group);
//
// Thread safety: main thread. Cost: none to the measurement.
#pragma once

#include <assay/primitives/ref/ref_checks.hpp>
#include <assay/primitives/ref/ref_types.hpp>

#include <assay/primitives/measured.hpp>

#include <atomic>
#include <cstdint>
#include <thread>
#include <utility>

namespace assay::primitives {

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

/// Adds the pointers that need Boost; adds nothing without it.
void add_intrusive(Group& group);

}  // namespace assay::primitives
