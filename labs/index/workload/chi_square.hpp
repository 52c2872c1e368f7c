// Purpose: for tests: whether counts fit the distribution they were drawn from.
//
//   EXPECT_TRUE(chi_square(seen, probabilities).fits());
//
// Thread safety: pure. Cost: tests only.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::index {

/// Pearson's chi-squared statistic. Cells in which fewer than 20 draws are expected are merged with
/// their neighbours, because the approximation is bad for small counts.
struct ChiSquare {
  double statistic{0};
  std::size_t freedom{0};

  /// The critical value that a true hypothesis exceeds once in a million times (Wilson and
  /// Hilferty's approximation).
  [[nodiscard]] double limit() const {
    const auto k = static_cast<double>(freedom);
    return k * std::pow(1 - 2 / (9 * k) + 4.753 * std::sqrt(2 / (9 * k)), 3);
  }
  [[nodiscard]] bool fits() const { return freedom > 0 && statistic < limit(); }
};

/// Compares observed counts with their probabilities, which sum to 1.
inline ChiSquare chi_square(const std::vector<std::uint64_t>& seen,
                            const std::vector<double>& probabilities) {
  double draws = 0;
  for (const std::uint64_t count : seen) draws += static_cast<double>(count);
  ChiSquare result;
  double cell_seen = 0;
  double cell_expected = 0;
  std::size_t cells = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    cell_seen += static_cast<double>(seen[i]);
    cell_expected += probabilities[i] * draws;
    if (cell_expected < 20 && i + 1 < seen.size()) continue;
    if (cell_expected <= 0) {
      result.statistic += cell_seen > 0 ? 1e300 : 0;
      continue;
    }
    result.statistic += (cell_seen - cell_expected) * (cell_seen - cell_expected) / cell_expected;
    ++cells;
    cell_seen = cell_expected = 0;
  }
  result.freedom = cells > 0 ? cells - 1 : 0;
  return result;
}

inline std::vector<double> normalised(std::vector<double> weights) {
  double all = 0;
  for (const double weight : weights) all += weight;
  for (double& weight : weights) weight /= all;
  return weights;
}

}  // namespace assay::index
