// Purpose: where all members of a team wait for the last one, in one process or in many.
//
//   auto pages = SharedPages::make(sizeof(WorkerBarrier));
//   auto* barrier = new (pages->as<void>()) WorkerBarrier(members);
//   if (!barrier->wait()) return;   // somebody called abandon(): nobody waits any more
//
// Thread safety: all members may call it; it must lie in memory that their processes share.
// Cost: for a single member, one atomic addition; with no more members than CPUs a short spin,
// so that all leave within a microsecond or so; else a futex call for each member.
#pragma once

#include <atomic>
#include <cstdint>

namespace assay {

class WorkerBarrier {
 public:
  explicit WorkerBarrier(std::uint32_t members);

  /// True when all have come; false when the team was abandoned.
  [[nodiscard]] bool wait() noexcept;

  /// Ends all waiting: every wait(), now and later, returns false. Safe from any thread or process.
  void abandon() noexcept;
  [[nodiscard]] bool abandoned() const noexcept { return abandoned_.load(); }

 private:
  [[nodiscard]] bool meet() noexcept;
  [[nodiscard]] bool wait_for_round_after(std::uint32_t round) noexcept;

  std::uint32_t members_;
  std::uint32_t spins_;
  std::atomic<std::uint32_t> waiting_{0};
  alignas(64) std::atomic<std::uint32_t> round_{0};
  std::atomic<bool> abandoned_{false};
};

}  // namespace assay
