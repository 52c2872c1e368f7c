#include <assay/measure/latency/latency_histogram.hpp>

#include <cmath>
#include <numeric>

namespace assay {
namespace {

/// The rank, from 1, of the quantile `share` among `total` values. The share is first reduced to
/// the next smaller double, because 0.07 as a double is a little more than 7 of 100.
std::uint64_t rank_of(double share, std::uint64_t total) {
  const double just_below = std::nextafter(std::clamp(share, 0.0, 1.0), 0.0);
  const double rank = std::ceil(just_below * static_cast<double>(total));
  // Also for a total that a double cannot represent.
  if (rank >= static_cast<double>(total)) return total;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rank));
}

}  // namespace

void LatencyHistogram::record_clamped(std::int64_t value_ns) noexcept {
  ++(value_ns < lowest_ns ? clamped_below_ : clamped_above_);
  record(std::clamp(value_ns, lowest_ns, highest_ns));
}

void LatencyHistogram::add(std::size_t bucket, std::uint64_t count) noexcept {
  if (bucket >= buckets || count == 0) return;
  counts_[bucket] += count;
  max_ns_ = std::max({max_ns_, highest_of(bucket), lowest_ns});
}

void LatencyHistogram::merge(const LatencyHistogram& other) noexcept {
  for (std::size_t bucket = 0; bucket < buckets; ++bucket) counts_[bucket] += other.counts_[bucket];
  max_ns_ = std::max(max_ns_, other.max_ns_);
  clamped_below_ += other.clamped_below_;
  clamped_above_ += other.clamped_above_;
}

std::uint64_t LatencyHistogram::total() const noexcept {
  return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
}

std::int64_t LatencyHistogram::quantile_ns(double share) const noexcept {
  if (empty()) return 0;
  const std::uint64_t rank = rank_of(std::isnan(share) ? 1.0 : share, total());
  std::uint64_t seen = 0;
  std::size_t bucket = 0;
  while (bucket + 1 < buckets && (seen += counts_[bucket]) < rank) ++bucket;
  return std::min(highest_of(bucket), max_ns_);
}

}  // namespace assay
