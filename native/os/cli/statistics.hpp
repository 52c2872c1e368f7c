// Purpose: what a run's samples say: its figure with an interval, and libMicro's statistics.
//
//   const Statistics all = statistics_of(measured.launches, taken_off_ns);
//   all.typical_ns, all.low_ns, all.high_ns
//
// A launch's figure is the median of its samples, that of a run, typical_ns, the mean of its
// launches without the outermost twentieth on each side. `./dev bench os_repeatability` says how
// well it repeats (docs/decisions/0025).
//
// With fewer than six launches, figure and interval are the median of all samples together and
// the order statistics around it, and say nothing of other launches.
//
// Thread safety: pure. Cost: sorts the samples, after measuring.
#pragma once

#include <assay/os/harness/launch.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace assay::os {

struct Statistics {
  std::vector<double> sorted_ns{};
  double min_ns{0}, max_ns{0}, mean_ns{0}, median_ns{0}, stddev_ns{0};
  double p95_ns{0}, p99_ns{0};
  double typical_ns{0};          // the figure of the run
  double low_ns{0}, high_ns{0};  // its interval, at 95 %
};

/// `taken_off_ns` is subtracted from each sample, down to 0.
Statistics statistics_of(const std::vector<Launched>& launches, double taken_off_ns);

/// A figure, and from where to where it may lie, at 95 %.
struct Interval {
  double typical{0}, low{0}, high{0};
};

/// The mean without the outermost twentieth on each side, at least one value, with Tukey and
/// McLaughlin's interval (1963: Student's t on the winsorized deviation). Of at least four values.
Interval trimmed_mean(std::vector<double> values);

/// Ranks (from 0) of the two order statistics between which the median lies at 95 %; where the
/// values are too few for that, the outermost. Those of the sign test.
std::pair<std::size_t, std::size_t> median_ranks(std::size_t count);

}  // namespace assay::os
