// Purpose: what the library's memory pass of each benchmark did to the heap, for its row.
//
//   MemoryPasses passes;
//   benchmark::RegisterMemoryManager(&passes);     // the library then tells it of every pass
//   if (const auto use = passes.of(run)) allocs = use->tally.allocs;
//
// The library hands a pass's four figures to reporters, but 1.7.1 by a pointer into a
// vector that has grown since, and without the benchmark's name. Only allocs_per_iter arrives
// unharmed in every version, so the number of allocations we tell the library is an id: the
// number of the pass. of() finds the pass by it; nobody else sees it.
//
// Nothing is marked `override`: 1.7 has both forms of Stop, 1.8 only one, and compilers
// want all or none marked.
//
// Thread safety: none; the library calls it in the main thread. Cost: none inside a timed
// loop: a pass is untimed.
#pragma once

#include <assay/measure/allocations/allocator_functions.hpp>
#include <assay/measure/allocations/peak_scope.hpp>
#include <assay/record/json_row.hpp>

#include <benchmark/benchmark.h>

#include <optional>
#include <vector>

namespace assay {

class MemoryPasses : public benchmark::MemoryManager {
 public:
  // NOLINTBEGIN(modernize-use-override)
  void Start();
  void Stop(Result& result);
  void Stop(Result* result) { Stop(*result); }
  // NOLINTEND(modernize-use-override)

  /// What the memory pass of this run's benchmark counted; nothing when the benchmark had no such
  /// pass.
  [[nodiscard]] std::optional<MemoryUse> of(const benchmark::BenchmarkReporter::Run& run) const;

 private:
  [[nodiscard]] hooks::SizeClasses size_classes_inside() const;

  std::optional<PeakScope> scope_;
  std::vector<MemoryUse> passes_;
};

}  // namespace assay
