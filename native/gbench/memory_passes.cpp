#include <assay/gbench/memory_passes.hpp>

#include <assay/gbench/session.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace assay {

void MemoryPasses::Start() {
  // The iterations of a memory pass are not timed, so their latencies are not kept.
  session().latency_rows.pause();
  scope_.emplace();
}

void MemoryPasses::Stop(Result& result) {
  // Within a pass the library allocates its thread manager first and frees it last: that block is
  // not the benchmark's, and is left out.
  const hooks::SizeClasses classes = size_classes_inside();
  passes_.push_back({.tally = scope_->taken_inside(),
                     .peak_bytes = scope_->peak_bytes_inside(),
                     .size_classes = {classes.begin(), classes.end()}});
  scope_.reset();
  session().latency_rows.resume();
  result.num_allocs = static_cast<std::int64_t>(passes_.size());
}

std::optional<MemoryUse> MemoryPasses::of(const benchmark::BenchmarkReporter::Run& run) const {
  const auto threads = std::max<std::int64_t>(run.threads, 1);
  const auto iterations = std::min<std::int64_t>(16, run.iterations / threads);
  const auto pass_id = std::llround(run.allocs_per_iter * static_cast<double>(iterations));
  if (pass_id < 1 || static_cast<std::size_t>(pass_id) > passes_.size()) return std::nullopt;
  MemoryUse use = passes_[static_cast<std::size_t>(pass_id) - 1];
  use.iterations = static_cast<double>(iterations);
  return use;
}

hooks::SizeClasses MemoryPasses::size_classes_inside() const {
  hooks::SizeClasses classes = scope_->size_classes();
  const AllocationTally frame = hooks::outermost_block();
  std::uint64_t& its_class =
      classes.at(static_cast<std::size_t>(std::bit_width(frame.requested_bytes)));
  if (frame.allocs > 0 && its_class > 0) --its_class;
  return classes;
}

}  // namespace assay
