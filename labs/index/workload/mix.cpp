#include <assay/index/workload/mix.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace assay::index {
namespace {

// How many random permutations of a block are precomputed. XORing positions with a random byte
// makes 4096 orders of them, and their 4 KB stay in the L1 cache.
constexpr std::size_t permutation_count = 16;

template <class T>
void shuffle(std::span<T> items, Random& random) {
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random.below(left)]);
  }
}

}  // namespace

OperationMix::OperationMix(const PerOperation<double>& ratios, std::uint64_t seed)
    : random_(seed), permutations_(permutation_count) {
  const double all = std::accumulate(ratios.values.begin(), ratios.values.end(), 0.0);
  for (const Operation kind : all_operations) {
    shares_[kind] = ratios[kind] / all;
    if (ratios[kind] == all) only_ = kind;
  }
  for (Permutation& permutation : permutations_) {
    std::iota(permutation.begin(), permutation.end(), std::uint8_t{0});
    shuffle<std::uint8_t>(permutation, random_);
  }
}

/// Fills a block: gives each kind the whole operations that it is behind its share, then the rest
/// of the block one by one to the kind that is furthest behind.
void OperationMix::fill_block(std::size_t count) {
  drawn_ += count;
  PerOperation<double> behind{};
  std::size_t at = 0;
  const auto give = [&](Operation kind, std::size_t some) {
    some = std::min(some, count - at);
    std::fill_n(dealt_.begin() + static_cast<std::ptrdiff_t>(at), some, kind);
    at += some;
    given_[kind] += some;
    behind[kind] -= static_cast<double>(some);
  };
  for (const Operation kind : all_operations) {
    behind[kind] = static_cast<double>(drawn_) * shares_[kind] - static_cast<double>(given_[kind]);
    give(kind, static_cast<std::size_t>(std::max(0.0, behind[kind])));
  }
  while (at < count) {
    const auto furthest = std::max_element(behind.values.begin(), behind.values.end());
    give(all_operations[static_cast<std::size_t>(furthest - behind.values.begin())], 1);
  }
}

void OperationMix::draw(std::span<Operation> kinds) {
  if (only_) {
    std::fill(kinds.begin(), kinds.end(), *only_);
    return;
  }
  fill_block(kinds.size());
  if (kinds.size() < block) {
    std::copy_n(dealt_.begin(), kinds.size(), kinds.begin());
    shuffle(kinds, random_);
    return;
  }
  const std::uint64_t random = random_();
  const Permutation& permutation = permutations_[random % permutation_count];
  const auto flip = static_cast<std::uint8_t>(random >> 56U);
  for (std::size_t i = 0; i < block; ++i) kinds[i] = dealt_[permutation[i ^ flip]];
}

}  // namespace assay::index
