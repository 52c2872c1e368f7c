// Purpose: which CPUs a thread may run on, and pinning it to one.
//
//   const assay::Result<assay::CpuSet> cpus = assay::CpuSet::allowed();
//   if (!cpus) return cpus.error();
//   return assay::pin_this_thread(cpus->last_first().front());
//
//   const int count = assay::CpuSet::parse("0-3,8")->count();  // 5
//
// Thread safety: a value; pinning holds for the calling thread, and for the threads and processes
// it starts from then on. Cost: a system call each.
#pragma once

#include <assay/base/result.hpp>

#include <string_view>
#include <vector>

namespace assay {

class CpuSet {
 public:
  /// The CPUs that the calling thread may run on.
  static Result<CpuSet> allowed();

  /// From a list as the kernel's files write it, in which a hyphen means "to": "0-3,8". An empty
  /// list is an empty set.
  static Result<CpuSet> parse(std::string_view list);

  [[nodiscard]] const std::vector<int>& in_order() const { return cpus_; }

  /// From the highest number down, the order in which to pin: most interrupts go to the first CPU.
  [[nodiscard]] std::vector<int> last_first() const;

  [[nodiscard]] int count() const { return static_cast<int>(cpus_.size()); }
  [[nodiscard]] bool has(int cpu) const;

 private:
  explicit CpuSet(std::vector<int> cpus) : cpus_(std::move(cpus)) {}

  std::vector<int> cpus_;  // ascending
};

/// The calling thread, and children it starts from then on, run on this CPU only.
Status pin_this_thread(int cpu);

/// The calling thread, and children it starts from then on, may run on any of `cpus`.
Status let_this_thread_run_on(const CpuSet& cpus);

}  // namespace assay
