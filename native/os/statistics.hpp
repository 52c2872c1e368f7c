// Purpose: what a run's samples say: its figure with an interval, and libMicro's statistics.
//
//   const Statistics all = statistics_of(measured.launches, taken_off_ns);
//   all.typical_ns, all.low_ns, all.high_ns
//
// What disturbs a sample or a launch makes it slower, never faster, and a neighbour on the
// same core does so for seconds. So a launch's figure is the first decile of its samples, and
// that of a run, typical_ns, the mean of the faster half of its launches but the fastest: what
// the less disturbed ones took. `./dev bench os_repeatability` says how well it repeats.
//
// The interval needs no assumption about how times are distributed. With six launches or
// more it runs from the lowest to the highest of the launches' figures (six: 96.9 % for their
// median); with fewer, figure and interval are of all samples together, by order statistics,
// and say nothing of other launches.
//
// Thread safety: pure. Cost: sorts the samples, after measuring.
#pragma once

#include <assay/os/launch.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace assay::os {

struct Statistics {
  std::vector<double> sorted_ns{};
  double min_ns{0}, max_ns{0}, mean_ns{0}, median_ns{0}, stddev_ns{0};
  double p95_ns{0}, p99_ns{0};
  double typical_ns{0};          // the figure of the run
  double low_ns{0}, high_ns{0};  // its interval, at 95 % or more
};

/// `taken_off_ns` is subtracted from each sample, down to 0.
Statistics statistics_of(const std::vector<Launched>& launches, double taken_off_ns);

/// Ranks (from 0) of the two order statistics between which the quantile of that share lies at
/// 95 %; where the samples are too few for that, the outermost.
std::pair<std::size_t, std::size_t> quantile_ranks(std::size_t samples, double share);

}  // namespace assay::os
