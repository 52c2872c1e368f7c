// Purpose: counts what a piece of code asks of the allocator.
//
//   assay::AllocationScope scope;
//   for (auto _ : state) work();
//   assay::report_allocations(state, scope);   // or use scope.taken()
//
// Thread safety: a scope belongs to the thread that made it. It covers all threads of
// the process, ended ones too, or only its own (`Covers::this_thread`: what a benchmark
// that runs in several threads wants). Scopes may nest and overlap. Errors: none.
//
// Cost to the measurement: about 0.2 us to make and to end, nothing per iteration, and
// at most 4 ns for each malloc/free pair in between (`./dev bench` measures it).
#pragma once

#include <assay/measure/allocations/allocation_tally.hpp>

#include <cstdint>

namespace assay {

class AllocationScope {
 public:
  enum class Covers : std::uint8_t { all_threads, this_thread };

  /// Starts counting, which goes on until the scope is destroyed.
  explicit AllocationScope(Covers covers = Covers::all_threads);
  ~AllocationScope();
  AllocationScope(const AllocationScope&) = delete;
  AllocationScope& operator=(const AllocationScope&) = delete;

  /// Calls and bytes since the scope began. All zero when allocations are not counted:
  /// allocation_status() tells that apart from a program that allocates nothing.
  [[nodiscard]] AllocationTally taken() const;
  [[nodiscard]] Covers covers() const { return covers_; }

 private:
  [[nodiscard]] AllocationTally totals() const;

  Covers covers_;
  AllocationTally before_;
};

}  // namespace assay
