#include <assay/index/run/shared_results.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace assay::index {
namespace {

constexpr std::size_t page = 4096;

constexpr std::size_t pages_for(std::size_t bytes) {
  return (bytes + page - 1) / page * page;
}

}  // namespace

std::string_view name_of(Phase phase) {
  constexpr std::array<std::string_view, 8> names{
      "starting", "creating the tree",       "loading",          "verifying what was loaded",
      "running",  "verifying what it holds", "closing the tree", "done"};
  return names[static_cast<std::size_t>(phase)];
}

void SharedHistogram::set_lowest(std::int64_t value_ns) noexcept {
  std::int64_t seen = inverted_min_ns_.load(std::memory_order_relaxed);
  while ((seen == 0 || ~seen > value_ns) &&
         !inverted_min_ns_.compare_exchange_weak(seen, ~value_ns, std::memory_order_relaxed)) {
  }
}

void SharedHistogram::set_highest(std::int64_t value_ns) noexcept {
  std::int64_t seen = max_ns_.load(std::memory_order_relaxed);
  while (seen < value_ns &&
         !max_ns_.compare_exchange_weak(seen, value_ns, std::memory_order_relaxed)) {
  }
}

void SharedHistogram::record_shared(std::int64_t value_ns) noexcept {
  const std::int64_t value =
      std::clamp(value_ns, LatencyHistogram::lowest_ns, LatencyHistogram::highest_ns);
  counts_[LatencyHistogram::bucket_of(value)].fetch_add(1, std::memory_order_relaxed);
  sum_ns_.fetch_add(static_cast<std::uint64_t>(value), std::memory_order_relaxed);
  note_extremes(value);
  if (value_ns < value) clamped_below_.fetch_add(1, std::memory_order_relaxed);
  if (value_ns > value) clamped_above_.fetch_add(1, std::memory_order_relaxed);
}

void SharedHistogram::record_clamped(std::int64_t value_ns) noexcept {
  record_shared(value_ns);
}

LatencyHistogram SharedHistogram::histogram() const {
  LatencyHistogram histogram;
  for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
    histogram.add(bucket, counts_[bucket].load(std::memory_order_relaxed));
  }
  return histogram;
}

void RunState::fail(Fault whose, const std::string& why) {
  if (!has_failed.exchange(true)) {
    fault = whose;
    const std::size_t length = std::min(why.size(), failure.size() - 1);
    std::copy_n(why.begin(), length, failure.begin());
  }
  stop.store(true);
}

void RunState::fail_by_exception(const std::string& said) {
  fail(Fault::plugin,
       "the plug-in threw while " + std::string(name_of(phase.load())) + ": " + said);
}

Result<SharedResults> SharedResults::make(const ResultsShape& shape) {
  const std::size_t set_bytes =
      std::max<std::size_t>(1, shape.timed.size()) * sizeof(SharedHistogram);
  const auto sets = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(most_histogram_bytes / set_bytes, 1, shape.threads));
  const std::size_t bytes = pages_for(sizeof(RunState)) +
                            pages_for(sizeof(ThreadCounters) * shape.threads) +
                            pages_for(sizeof(SharedHistogram) * shape.timed.size() * sets);
  auto pages = SharedPages::make(bytes);
  if (!pages) {
    return Error{std::string("no memory for results: ") + std::strerror(pages.error().errno_value)};
  }
  return SharedResults(shape, sets, std::move(pages).value());
}

/// Histograms are not constructed, because fresh pages are zeros already. Constructing them would
/// touch all their pages, which then take memory whether they are used or not.
SharedResults::SharedResults(ResultsShape shape, std::uint32_t sets, SharedPages pages)
    : shape_(std::move(shape)), sets_(sets), pages_(std::move(pages)) {
  char* at = pages_.as<char>();
  main_ = new (at) RunState;
  at += pages_for(sizeof(RunState));
  threads_ = new (at) ThreadCounters[shape_.threads];
  at += pages_for(sizeof(ThreadCounters) * shape_.threads);
  histograms_ = reinterpret_cast<SharedHistogram*>(at);
}

SharedHistogram* SharedResults::histogram(std::uint32_t thread, Operation kind) const {
  const auto found = std::find(shape_.timed.begin(), shape_.timed.end(), kind);
  if (found == shape_.timed.end()) return nullptr;
  const auto nth = static_cast<std::size_t>(found - shape_.timed.begin());
  return &histograms_[thread % sets_ * shape_.timed.size() + nth];
}

std::size_t SharedResults::histogram_bytes() const {
  return sizeof(SharedHistogram) * shape_.timed.size() * sets_;
}

}  // namespace assay::index
