// Purpose: says when a Google Benchmark loop begins and ends, in a program not built with us.
//
//   static void begun(std::int64_t iterations) noexcept;
//   static void ended() noexcept;
//   const auto watched = assay::loop_gate::watch({.begun = begun, .ended = ended});
//
// Google Benchmark calls State::StartKeepRunning() where a loop begins and FinishKeepRunning()
// where it ends. Both get a breakpoint, so that it does not matter whether Google Benchmark is a
// shared library, where the functions could be replaced, or linked into the program. Only the
// breakpoint that comes next is set: it is removed when it is reached, so that the program goes on
// without being single-stepped. Loops that several threads run at once are therefore not told
// apart.
//
// Thread safety: called once, before main. Cost: two signals a loop, none of them inside it.
#pragma once

#include <cstdint>

namespace assay::loop_gate {

struct LoopCallbacks {
  void (*begun)(std::int64_t iterations) noexcept;  // `iterations`: how many the loop will do
  void (*ended)() noexcept;
};

enum class Watched : std::uint8_t {
  yes,
  unknown,  // the program has no such functions: stripped, or not built on Google Benchmark
  refused,  // the program's code cannot be made writable
};

Watched watch(LoopCallbacks callbacks) noexcept;

}  // namespace assay::loop_gate
