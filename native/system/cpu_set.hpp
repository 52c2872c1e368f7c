// Purpose: which CPUs a thread may run on, and pinning it to one.
//
//   const assay::Result<assay::CpuSet> cpus = assay::CpuSet::allowed();
//   if (!cpus) return cpus.error();
//   return assay::pin_this_thread(cpus->last_first().front());
//
//   const int count = assay::CpuSet::parse("0-3,8")->count();  // 5
//
// Thread safety: a value; pinning is about the calling thread, and the children it makes from
// then on. Cost: a system call each.
#pragma once

#include <assay/base/result.hpp>

#include <string_view>
#include <vector>

namespace assay {

class CpuSet {
 public:
  /// Where the calling thread may run.
  static Result<CpuSet> allowed();

  /// As files of the kernel write it, in which a hyphen means "to": "0-3,8". May be empty.
  static Result<CpuSet> parse(std::string_view list);

  [[nodiscard]] const std::vector<int>& in_order() const { return cpus_; }

  /// In the order to pin to: the first CPU is where most interrupts go.
  [[nodiscard]] std::vector<int> last_first() const;

  [[nodiscard]] int count() const { return static_cast<int>(cpus_.size()); }
  [[nodiscard]] bool has(int cpu) const;

 private:
  explicit CpuSet(std::vector<int> cpus) : cpus_(std::move(cpus)) {}

  std::vector<int> cpus_;  // ascending
};

/// Only there, from now on; the children it makes, too.
Status pin_this_thread(int cpu);

/// Anywhere in `cpus`, from now on.
Status let_this_thread_run_on(const CpuSet& cpus);

}  // namespace assay
