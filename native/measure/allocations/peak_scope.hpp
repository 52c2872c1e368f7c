// Purpose: the highest heap use of a piece of code, beside its allocations.
//
//   assay::PeakScope scope;
//   work();
//   const std::int64_t most = scope.peak_bytes();  // live at once, beyond those live at the start
//
// Thread safety: covers all threads of the process. Use one at a time: of nested ones the outermost
// decides where counting begins. Errors: none; 0 where allocations are not counted
// (allocation_status.hpp).
//
// Cost to the measurement: locked instructions for every malloc/free pair, about 20 ns,
// on memory that all threads share. That is too much for a timed loop, so time and peak are
// measured in separate passes. Bytes are usable bytes (see AllocationTally).
#pragma once

#include <assay/measure/allocations/allocation_hooks.hpp>
#include <assay/measure/allocations/allocation_scope.hpp>

namespace assay {

class PeakScope {
 public:
  PeakScope() { hooks::arm(hooks::Counting::totals_and_peak); }
  ~PeakScope() { hooks::disarm(hooks::Counting::totals_and_peak); }
  PeakScope(const PeakScope&) = delete;
  PeakScope& operator=(const PeakScope&) = delete;

  /// The most that was live at once, beyond what was live at the start.
  [[nodiscard]] std::int64_t peak_bytes() const { return hooks::peak_bytes(); }
  [[nodiscard]] hooks::SizeClasses size_classes() const { return hooks::size_classes(); }
  [[nodiscard]] AllocationTally taken() const { return allocations_.taken(); }

  /// As taken(), but without the block, if there is one, that was allocated before all others and
  /// freed after them: that of a test harness around the code.
  [[nodiscard]] AllocationTally taken_inside() const { return taken() - hooks::outermost_block(); }
  [[nodiscard]] std::int64_t peak_bytes_inside() const {
    return peak_bytes() - static_cast<std::int64_t>(hooks::outermost_block().usable_bytes);
  }

 private:
  AllocationScope allocations_{};
};

}  // namespace assay
