// Purpose: checks a pointer before it is timed: the object must be destroyed once, when its last
// reference is dropped.
//
//   if (const Problem problem = check_copy<RefType::SharedPointer>()) ...
//
// Thread safety: check_contended_copy starts threads of its own. Cost: none to measurements.
#pragma once

#include <assay/primitives/group.hpp>

#include <array>
#include <atomic>
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

}  // namespace assay::primitives
