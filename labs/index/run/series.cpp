#include <assay/index/run/series.hpp>

#include <numeric>

namespace assay::index {

std::uint64_t SeriesSample::all() const {
  return std::accumulate(completed.values.begin(), completed.values.end(), std::uint64_t{0});
}

void Series::add(const SeriesSample& sample) {
  ++added_;
  // Of several samples merged into one the last is kept, because counts are totals since the
  // beginning.
  const bool has_merged = merged_ > 1 && (added_ - 1) % merged_ != 0;
  if (has_merged) {
    samples_.back() = sample;
    return;
  }
  if (samples_.size() == most_) {
    for (std::size_t i = 0; 2 * i + 1 < samples_.size(); ++i) samples_[i] = samples_[2 * i + 1];
    samples_.resize(most_ / 2);
    merged_ *= 2;
  }
  samples_.push_back(sample);
}

}  // namespace assay::index
