// Purpose: counts how often each latency was seen, from 1 ns to 1 h, to 3 significant digits.
//
//   assay::LatencyHistogram latencies;
//   latencies.record(took_ns);
//   const std::int64_t p99_ns = latencies.quantile_ns(0.99);
//
// The layout is HdrHistogram's (lowest 1, highest 3.6e12, 3 digits): buckets at most 1/1024
// of their values wide, so that a quantile is at most 0.1 % above the exact one. Units: ns.
// Errors: none; a value out of range counts as the nearest in range, and as clamped.
//
// Thread safety: one histogram per thread, merged afterwards; nothing is shared meanwhile.
// Cost: 264 KiB, from mmap and touched when made, so never an allocation or a page fault of
// the benchmark's; about 2 ns a value (`./dev bench latency_cost`).
#pragma once

#include <assay/base/units.hpp>
#include <assay/system/page_allocator.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace assay {

class LatencyHistogram {
 public:
  static constexpr std::int64_t lowest_ns = 1;
  static constexpr std::int64_t highest_ns = 3'600 * ns_per_s;
  static constexpr int significant_digits = 3;
  static constexpr std::size_t buckets = std::size_t{33} * 1024;

  LatencyHistogram() : counts_(buckets) {}

  /// Counts one latency.
  void record(std::int64_t value_ns) noexcept {
    if (static_cast<std::uint64_t>(value_ns) - 1 < std::uint64_t{highest_ns}) [[likely]] {
      ++counts_[bucket_of(value_ns)];
      max_ns_ = std::max(max_ns_, value_ns);
    } else {
      record_clamped(value_ns);
    }
  }

  /// Adds to one bucket what was counted elsewhere.
  void add(std::size_t bucket, std::uint64_t count) noexcept;
  /// Adds all that `other` has counted.
  void merge(const LatencyHistogram& other) noexcept;

  /// How many values were recorded.
  [[nodiscard]] std::uint64_t total() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return max_ns_ == 0; }

  /// The highest value of the bucket in which the quantile lies, but never above max_ns();
  /// 0 of an empty histogram. A share below 0 counts as 0, above 1 as 1.
  [[nodiscard]] std::int64_t quantile_ns(double share) const noexcept;

  /// The largest value: exact where it was recorded here, the highest of its bucket where it was
  /// decoded or added.
  [[nodiscard]] std::int64_t max_ns() const noexcept { return max_ns_; }

  /// How many values were out of range. total() includes them.
  [[nodiscard]] std::uint64_t clamped_below() const noexcept { return clamped_below_; }
  [[nodiscard]] std::uint64_t clamped_above() const noexcept { return clamped_above_; }

  [[nodiscard]] std::span<const std::uint64_t> counts() const noexcept { return counts_; }

  /// The bucket of a value in range. The first 2048 hold one value each; from there on each
  /// doubling is cut into 1024.
  static constexpr std::size_t bucket_of(std::int64_t value_ns) noexcept {
    const auto value = static_cast<std::uint64_t>(value_ns);
    const auto doublings = static_cast<unsigned>(std::bit_width(value | 2047U)) - 11U;
    return (std::size_t{doublings} << 10U) + static_cast<std::size_t>(value >> doublings);
  }

  /// The highest value that falls into a bucket.
  static constexpr std::int64_t highest_of(std::size_t bucket) noexcept {
    const std::size_t doublings = bucket < 2048 ? 0 : (bucket >> 10U) - 1;
    const auto within = static_cast<std::int64_t>(bucket - (doublings << 10U));
    return ((within + 1) << doublings) - 1;
  }

 private:
  void record_clamped(std::int64_t value_ns) noexcept;

  std::vector<std::uint64_t, PageAllocator<std::uint64_t>> counts_;
  std::int64_t max_ns_{0};
  std::uint64_t clamped_below_{0};
  std::uint64_t clamped_above_{0};
};

}  // namespace assay
