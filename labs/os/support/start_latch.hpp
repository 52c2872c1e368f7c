// Purpose: children that wait until their parent lets them go, all at once.
//
//   auto latch = StartLatch::make();          // before the children
//   latch->wait_here();                 // in a child
//   latch->until_waiting(10);           // in the parent: all ten have come
//   latch->open();  ...  latch->close(); // and again
//
// Thread safety: one latch for each parent. Cost: a futex call to open.
#pragma once

#include <assay/system/shared_pages.hpp>

#include <atomic>
#include <cstdint>

namespace assay::os {

class StartLatch {
 public:
  static Result<StartLatch> make();

  void wait_here() const;
  void until_waiting(std::int64_t children) const;
  void open() const;
  /// Closes the latch for reuse. Call it only when no child waits at it any more.
  void close() const;

 private:
  struct State {
    std::atomic<std::uint32_t> open{0};
    std::atomic<std::int64_t> waiting{0};
  };
  explicit StartLatch(Shared<State> state) : state_(std::move(state)) {}

  Shared<State> state_;
};

}  // namespace assay::os
