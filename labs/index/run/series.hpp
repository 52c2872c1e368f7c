// Purpose: how many operations were done at which time, in memory that does not grow with the run.
//
//   Series series;
//   series.add({.at_ns = 100'000'000, .completed = completed});  // counts since the beginning
//
// When it is full every second sample is dropped: the others then are twice as far apart.
// Thread safety: one thread. Cost: 56 bytes a sample, at most 32,768 of them (1.8 MB).
#pragma once

#include <assay/index/options/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::index {

struct SeriesSample {
  std::int64_t at_ns{0};  // since the run began
  PerOperation<std::uint64_t> completed{};

  [[nodiscard]] std::uint64_t all() const;
};

class Series {
 public:
  explicit Series(std::size_t most = 32'768) : most_(most) {}

  void add(const SeriesSample& sample);
  [[nodiscard]] const std::vector<SeriesSample>& samples() const { return samples_; }

  /// How many added samples are merged into each one of samples().
  [[nodiscard]] std::uint64_t merge_factor() const { return merged_; }

 private:
  std::size_t most_;
  std::uint64_t merged_{1};
  std::uint64_t added_{0};
  std::vector<SeriesSample> samples_;
};

}  // namespace assay::index
