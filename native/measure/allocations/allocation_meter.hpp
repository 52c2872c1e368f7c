// Purpose: counts the allocations of a part of a benchmark's loop.
//
//   assay::AllocationMeter meter;
//   for (auto _ : state) {
//     auto input = make_input();             // not counted
//     const auto part = meter.part();        // counted, until the end of this block
//     work(input);
//   }
//   assay::report_allocations(state, meter);
//
// Thread safety: one in each thread; it counts that thread's allocations alone, and the row
// shows the sum over threads.
//
// Units: calls and bytes (AllocationTally). Errors: none; all zero where allocations are not
// counted (allocation_status.hpp).
//
// Cost to the measurement: about 10 ns for each part, and that of AllocationScope (2 ns a
// malloc/free pair) outside the parts as well. What is not counted is still timed.
#pragma once

#include <assay/measure/allocations/allocation_scope.hpp>

namespace assay {

class AllocationMeter {
 public:
  class Part {
   public:
    explicit Part(AllocationMeter& meter) : meter_(meter), before_(meter.scope_.taken()) {}
    ~Part() { meter_.taken_ = meter_.taken_ + (meter_.scope_.taken() - before_); }
    Part(const Part&) = delete;
    Part& operator=(const Part&) = delete;

   private:
    AllocationMeter& meter_;
    AllocationTally before_;
  };

  /// Counts from here until the result is destroyed.
  [[nodiscard]] Part part() { return Part(*this); }
  /// The calls and bytes of all parts that have ended, added up.
  [[nodiscard]] AllocationTally taken() const { return taken_; }

 private:
  AllocationScope scope_{AllocationScope::Covers::this_thread};
  AllocationTally taken_{};
};

}  // namespace assay
