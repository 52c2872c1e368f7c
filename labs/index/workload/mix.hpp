// Purpose: chooses the next kind of operation, so that the kinds are run in the ratios asked for.
//
//   OperationMix mix(ratios, seed);
//   mix.draw(kinds);                // a block of kinds, in random order
//
// After any number of blocks the operations of each kind differ from its share of all by at most
// about one: a block gives each kind what it is behind its share, and is then shuffled.
//
// Thread safety: one per thread. Cost: about 0.5 ns an operation; none for a single kind.
#pragma once

#include <assay/base/random.hpp>
#include <assay/index/options/operation.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace assay::index {

class OperationMix {
 public:
  static constexpr std::size_t block = 256;

  /// Only the proportions of the ratios count. Their sum must be above 0.
  OperationMix(const PerOperation<double>& ratios, std::uint64_t seed);

  /// Draws the next kinds, at most `block` of them.
  void draw(std::span<Operation> kinds);

  /// The kind of all operations, if there is only one.
  [[nodiscard]] std::optional<Operation> only_kind() const { return only_; }

 private:
  using Permutation = std::array<std::uint8_t, block>;
  void fill_block(std::size_t count);

  PerOperation<double> shares_{};
  PerOperation<std::uint64_t> given_{};
  std::optional<Operation> only_{};
  Random random_;
  std::uint64_t drawn_{0};
  std::array<Operation, block> dealt_{};
  std::vector<Permutation> permutations_;
};

}  // namespace assay::index
