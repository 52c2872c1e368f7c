#include <assay/index/run/shared_results.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
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

void HistogramBoard::set_lowest(std::int64_t value_ns) noexcept {
  std::int64_t seen = inverted_min_ns_.load(std::memory_order_relaxed);
  while ((seen == 0 || ~seen > value_ns) &&
         !inverted_min_ns_.compare_exchange_weak(seen, ~value_ns, std::memory_order_relaxed)) {
  }
}

void HistogramBoard::set_highest(std::int64_t value_ns) noexcept {
  std::int64_t seen = max_ns_.load(std::memory_order_relaxed);
  while (seen < value_ns &&
         !max_ns_.compare_exchange_weak(seen, value_ns, std::memory_order_relaxed)) {
  }
}

void HistogramBoard::record_shared(std::int64_t value_ns) noexcept {
  const std::int64_t value =
      std::clamp(value_ns, LatencyHistogram::lowest_ns, LatencyHistogram::highest_ns);
  counts_[LatencyHistogram::bucket_of(value)].fetch_add(1, std::memory_order_relaxed);
  sum_ns_.fetch_add(static_cast<std::uint64_t>(value), std::memory_order_relaxed);
  note_extremes(value);
  if (value_ns < value) clamped_below_.fetch_add(1, std::memory_order_relaxed);
  if (value_ns > value) clamped_above_.fetch_add(1, std::memory_order_relaxed);
}

void HistogramBoard::record_clamped(std::int64_t value_ns) noexcept {
  record_shared(value_ns);
}

LatencyHistogram HistogramBoard::histogram() const {
  LatencyHistogram histogram;
  for (std::size_t bucket = 0; bucket < counts_.size(); ++bucket) {
    histogram.add(bucket, counts_[bucket].load(std::memory_order_relaxed));
  }
  return histogram;
}

void MainBoard::fail(Fault whose, const std::string& why) {
  if (!has_failed.exchange(true)) {
    fault = whose;
    const std::size_t length = std::min(why.size(), failure.size() - 1);
    std::copy_n(why.begin(), length, failure.begin());
  }
  stop.store(true);
}

void MainBoard::fail_by_exception(const std::string& said) {
  fail(Fault::plugin,
       "the plug-in threw while " + std::string(name_of(phase.load())) + ": " + said);
}

Result<Board> Board::make(const BoardShape& shape) {
  const std::size_t set_bytes =
      std::max<std::size_t>(1, shape.timed.size()) * sizeof(HistogramBoard);
  const auto sets = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(most_histogram_bytes / set_bytes, 1, shape.threads));
  const std::size_t bytes = pages_for(sizeof(MainBoard)) +
                            pages_for(sizeof(ThreadBoard) * shape.threads) +
                            pages_for(sizeof(HistogramBoard) * shape.timed.size() * sets);
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return Error{std::string("no memory for results: ") + std::strerror(errno)};
  }
  return Board(shape, sets, memory, bytes);
}

/// Histograms are used as the zeros that fresh pages are: constructed, they would all be
/// touched.
Board::Board(BoardShape shape, std::uint32_t sets, void* memory, std::size_t bytes)
    : shape_(std::move(shape)), sets_(sets), bytes_(bytes) {
  char* at = static_cast<char*>(memory);
  main_ = new (at) MainBoard;
  at += pages_for(sizeof(MainBoard));
  threads_ = new (at) ThreadBoard[shape_.threads];
  at += pages_for(sizeof(ThreadBoard) * shape_.threads);
  histograms_ = reinterpret_cast<HistogramBoard*>(at);
}

Board::Board(Board&& other) noexcept
    : shape_(std::move(other.shape_)),
      sets_(other.sets_),
      bytes_(other.bytes_),
      main_(std::exchange(other.main_, nullptr)),
      threads_(other.threads_),
      histograms_(other.histograms_) {}

Board::~Board() {
  if (main_ != nullptr) munmap(main_, bytes_);
}

HistogramBoard* Board::histogram(std::uint32_t thread, Operation kind) const {
  const auto found = std::find(shape_.timed.begin(), shape_.timed.end(), kind);
  if (found == shape_.timed.end()) return nullptr;
  const auto nth = static_cast<std::size_t>(found - shape_.timed.begin());
  return &histograms_[thread % sets_ * shape_.timed.size() + nth];
}

std::size_t Board::histogram_bytes() const {
  return sizeof(HistogramBoard) * shape_.timed.size() * sets_;
}

}  // namespace assay::index
