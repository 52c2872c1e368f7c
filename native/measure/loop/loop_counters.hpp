// Purpose: what the kernel and the processor count during a loop: page faults, context switches,
// cycles, cache misses.
//
//   static assay::LoopCounters counters;
//   counters.begin();
//   run_the_loop();
//   for (const auto& [name, value, why_not] : counters.end()) print(name, value);
//
// Thread safety: one thread. Cost: begin() and end() make two system calls for each event and one
// more, outside the loop.
#pragma once

#include <sys/resource.h>

#include <array>
#include <cstdint>

namespace assay {

struct LoopCount {
  const char* name;
  std::uint64_t value;
  int why_not;  // 0, or the errno that says why it was not counted
};

class LoopCounters {
 public:
  static constexpr std::size_t events = 5;
  static constexpr std::size_t usages = 4;

  void begin() noexcept;
  [[nodiscard]] std::array<LoopCount, events + usages> end() noexcept;

 private:
  struct Event {
    int file{-1};
    int why_not{0};
  };

  void open() noexcept;

  bool is_open_{false};
  std::array<Event, events> open_{};
  rusage before_{};
};

}  // namespace assay
