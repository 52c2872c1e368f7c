// Purpose: the benchmark of a clock, and the check before it: it must go on, and never back.
//
//   add_timer(group, "TimerType::Rdtsc", [] { return __rdtsc(); });
//
// Thread safety: main thread. Cost: none to the measurement.
#pragma once

#include <assay/primitives/group.hpp>
#include <assay/primitives/measured.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace assay::primitives {

/// Checks that a clock grows and never goes back. `read` returns its time in any unit. Waits up to
/// half a second for it to grow, because coarse clocks step only every 4 or 10 ms.
template <class Read>
Problem check_timer(const Read& read) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  const std::uint64_t first = read();
  std::uint64_t last = first;
  for (int reads = 0; reads < 10'000 || last == first; ++reads) {
    const std::uint64_t now = read();
    if (now < last) return "went back by " + std::to_string(last - now);
    last = now;
    if (last == first && std::chrono::steady_clock::now() > end) return "stands still";
  }
  return {};
}

template <class Read>
void add_timer(Group& group, const std::string& name, Read read,
               const std::function<Problem()>& check) {
  group.add({.name = "bench_timer<" + name + ">",
             .sharing = Sharing::thread_safe,
             .check = check,
             .loop = [read](benchmark::State& state) {
               Measured measured(state);
               for (auto _ : state) benchmark::DoNotOptimize(read());
               measured.done({});
             }});
}

template <class Read>
void add_timer(Group& group, const std::string& name, Read read) {
  add_timer(group, name, read, [read] { return check_timer(read); });
}

}  // namespace assay::primitives
