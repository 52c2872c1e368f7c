// Purpose: what a run has done so far, in memory that outlives the process that does it.
//
//   auto results = SharedResults::make({.threads = 2, .timed = {Operation::read}});
//   Tally& reads = results->thread(0).tallies[Operation::read];
//   add(reads.completed, 1);  // by the child, and read by its supervisor
//
// The driver runs a plug-in in a child process. If the plug-in crashes it, what was counted here
// up to then remains.
//
// Thread safety: a thread writes its own part with relaxed stores; anybody reads.
// Cost: two stores an operation, to a cache line of the thread's own. Histograms: 264 KB for
// each kind of operation and thread, but at most 48 MB in all: with more threads than fit, threads
// share histograms, and recording a latency takes about 5 ns longer.
#pragma once

#include <assay/base/result.hpp>
#include <assay/index/check/scan_order.hpp>
#include <assay/index/options/operation.hpp>
#include <assay/measure/latency/latency_histogram.hpp>
#include <assay/system/shared_pages.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace assay::index {

enum class Phase : std::uint32_t {
  starting,
  opening,
  loading,
  verifying_load,
  running,
  verifying_end,
  closing,
  done
};
std::string_view name_of(Phase phase);

/// Who is to blame when a run ends early: nobody, the user's input or the plug-in.
enum class Fault : std::uint32_t { none, input, plugin };

using Count = std::atomic<std::uint64_t>;
static_assert(Count::is_always_lock_free);

/// Adds to a count that only one thread writes, so that no locked instruction is needed.
inline void add(Count& count, std::uint64_t more) {
  count.store(count.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

struct Tally {
  Count completed{0};
  Count succeeded{0};
};

// Two cache lines, because processors prefetch lines in pairs.
struct alignas(128) ThreadCounters {
  PerOperation<Tally> tallies{};
  // Counts checks, scans and waits, so that the supervisor sees that the thread does not hang.
  Count prepared{0};
  Count loaded{0};
  std::atomic<std::int64_t> began_ns{0};
  std::atomic<std::int64_t> ended_ns{0};
  std::atomic<std::int64_t> cpu_ns{0};
};

/// A LatencyHistogram in shared memory, so that another process can read it.
class SharedHistogram {
 public:
  void record(std::int64_t value_ns, bool is_shared) noexcept {
    if (is_shared) return record_shared(value_ns);
    if (static_cast<std::uint64_t>(value_ns) - 1 >= std::uint64_t{LatencyHistogram::highest_ns}) {
      return record_clamped(value_ns);
    }
    add(counts_[LatencyHistogram::bucket_of(value_ns)], 1);
    add(sum_ns_, static_cast<std::uint64_t>(value_ns));
    note_extremes(value_ns);
  }
  [[nodiscard]] LatencyHistogram histogram() const;
  [[nodiscard]] std::int64_t max_ns() const { return max_ns_.load(); }
  [[nodiscard]] std::int64_t min_ns() const { return ~inverted_min_ns_.load(); }
  [[nodiscard]] std::uint64_t sum_ns() const { return sum_ns_.load(); }
  [[nodiscard]] std::uint64_t clamped_below() const { return clamped_below_.load(); }
  [[nodiscard]] std::uint64_t clamped_above() const { return clamped_above_.load(); }

 private:
  void note_extremes(std::int64_t value_ns) noexcept {
    const std::int64_t lowest = inverted_min_ns_.load(std::memory_order_relaxed);
    if (value_ns > max_ns_.load(std::memory_order_relaxed)) set_highest(value_ns);
    if (lowest == 0 || value_ns < ~lowest) set_lowest(value_ns);
  }
  void record_shared(std::int64_t value_ns) noexcept;
  void record_clamped(std::int64_t value_ns) noexcept;
  void set_lowest(std::int64_t value_ns) noexcept;
  void set_highest(std::int64_t value_ns) noexcept;

  std::array<Count, LatencyHistogram::buckets> counts_{};
  Count sum_ns_{0};
  Count clamped_below_{0};
  Count clamped_above_{0};
  std::atomic<std::int64_t> max_ns_{0};
  // Stored inverted, so that 0, as in fresh pages, means none so far.
  std::atomic<std::int64_t> inverted_min_ns_{0};
};

/// One counter of the host over the whole run, as PerfGroup or MemoryTraffic gives it.
struct SharedCounter {
  std::array<char, 32> name{};
  double count{0};
  bool is_known{false};
  std::array<char, 256> reason{};
};

struct RunState {
  std::atomic<Phase> phase{Phase::starting};
  std::atomic<bool> stop{false};
  std::atomic<bool> has_failed{false};
  Fault fault{Fault::none};
  std::array<char, 1024> failure{};
  double driver_ns{0};
  std::int64_t open_ns{0};
  std::atomic<std::int64_t> load_began_ns{0};
  std::atomic<std::int64_t> load_ended_ns{0};
  std::int64_t verify_ns{0};
  std::atomic<std::int64_t> run_began_ns{0};
  std::int64_t loaded_rss_bytes{0};
  Count verified_records{0};
  std::array<SharedCounter, 8> counters{};
  std::size_t counter_count{0};
  std::array<char, 1024> warning{};  // a copy of PluginLibrary::warning()
  std::array<char, 1024> hint{};
  std::atomic<ScanOrders> scan_orders{every_scan_order};

  /// Stops the run and stores the reason, unless an earlier call stored one.
  void fail(Fault whose, const std::string& why);
  /// Calls fail() for an exception that the plug-in threw; `said` is its text.
  void fail_by_exception(const std::string& said);
};

struct ResultsShape {
  std::uint32_t threads{1};
  std::vector<Operation> timed{};  // kinds of operation that have histograms
};

class SharedResults {
 public:
  static constexpr std::size_t most_histogram_bytes = std::size_t{48} << 20U;

  static Result<SharedResults> make(const ResultsShape& shape);

  [[nodiscard]] RunState& main() const { return *main_; }
  [[nodiscard]] ThreadCounters& thread(std::uint32_t number) const { return threads_[number]; }
  [[nodiscard]] std::uint32_t threads() const { return shape_.threads; }

  /// The thread's histogram for a kind of operation; nullptr if the kind is not timed.
  [[nodiscard]] SharedHistogram* histogram(std::uint32_t thread, Operation kind) const;
  [[nodiscard]] std::uint32_t histogram_sets() const { return sets_; }
  [[nodiscard]] bool shares_histograms() const { return sets_ < shape_.threads; }
  [[nodiscard]] std::size_t histogram_bytes() const;

 private:
  SharedResults(ResultsShape shape, std::uint32_t sets, SharedPages pages);

  ResultsShape shape_;
  std::uint32_t sets_;
  SharedPages pages_;
  RunState* main_;
  ThreadCounters* threads_;
  SharedHistogram* histograms_;
};

}  // namespace assay::index
