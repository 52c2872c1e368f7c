#include <assay/index/workload/decreasing_sampler.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::index {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

std::uint64_t of_two_to_64(double share) {
  const double scaled = std::ldexp(share, 64);
  return scaled >= 0x1p64 ? most : static_cast<std::uint64_t>(std::max(scaled, 0.0));
}

/// The exponent c of the self-similar law, in which P(rank < r) = (r / n)^c.
double self_similar_exponent(double skew) {
  const double usable = std::clamp(skew, 1e-300, 0.5);
  return std::log1p(-usable) / std::log(usable);
}

}  // namespace

DecreasingSampler DecreasingSampler::zipfian(std::uint64_t ranks, double exponent) {
  return {Law::power, ranks, exponent};
}

DecreasingSampler DecreasingSampler::self_similar(std::uint64_t ranks, double skew) {
  return {Law::self_similar, ranks, self_similar_exponent(skew)};
}

DecreasingSampler::DecreasingSampler(Law law, std::uint64_t ranks, double exponent)
    : law_(law), exponent_(exponent) {
  cut_stretches(std::max<std::uint64_t>(ranks, 1));
  build_alias_table();
}

void DecreasingSampler::cut_stretches(std::uint64_t ranks) {
  for (std::uint64_t first = 0; first < ranks;) {
    const std::uint64_t length = std::min(first / 32 + 1, ranks - first);
    stretches_.push_back(
        {.own = most, .alias = 0, .first = first, .ranks = length, .below = 0, .above = 0});
    first += length;
  }
}

/// The weight of a rank: proportional to its probability, not normalised.
double DecreasingSampler::weight_of(std::uint64_t rank) const {
  const auto number = static_cast<double>(rank);
  if (law_ == Law::power) return std::pow(number + 1, -exponent_);
  if (rank == 0) return 1;
  // (rank + 1)^c - rank^c, computed without cancellation.
  return std::pow(number, exponent_) * std::expm1(exponent_ * std::log1p(1 / number));
}

bool DecreasingSampler::is_kept(const Stretch& stretch, const Share& rank) const {
  if (rank.within > ~(stretch.above * rank.index)) return false;
  const double kept = weight_of(stretch.first + rank.index) / weight_of(stretch.first);
  return std::ldexp(static_cast<double>(rank.within), -64) < kept;
}

/// Sets the two lines between which the probabilities of a stretch lie, because the law is convex:
/// the lower one through its first two ranks, the upper one through its first and last. Both leave
/// room for rounding errors.
void DecreasingSampler::set_lines(Stretch& stretch, double first) {
  set_up_steps_ += 3;
  if (stretch.ranks < 2) return;
  const auto steps = static_cast<double>(stretch.ranks - 1);
  const double fall = 1 - weight_of(stretch.first + 1) / first;
  const double whole_fall = 1 - weight_of(stretch.first + stretch.ranks - 1) / first;
  const double chord = std::max(whole_fall / steps * (1 - 1e-6) - 1e-12 / steps, 0.0);
  stretch.below = of_two_to_64(fall * (1 + 1e-6) + 1e-12);
  stretch.above = of_two_to_64(chord);
}

/// Fills Walker's alias table with the weights of the stretches, by Vose's method.
void DecreasingSampler::build_alias_table() {
  std::vector<double> weights;
  double all = 0;
  for (Stretch& stretch : stretches_) {
    const double first = weight_of(stretch.first);
    set_lines(stretch, first);
    weights.push_back(first * static_cast<double>(stretch.ranks));
    all += weights.back();
  }
  std::vector<std::size_t> poor;
  std::vector<std::size_t> rich;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] *= static_cast<double>(weights.size()) / all;
    (weights[i] < 1 ? poor : rich).push_back(i);
  }
  while (!poor.empty() && !rich.empty()) {
    const std::size_t from = rich.back();
    const std::size_t into = poor.back();
    poor.pop_back();
    stretches_[into].own = of_two_to_64(weights[into]);
    stretches_[into].alias = from;
    weights[from] -= 1 - weights[into];
    if (weights[from] >= 1) continue;
    rich.pop_back();
    poor.push_back(from);
  }
}

}  // namespace assay::index
