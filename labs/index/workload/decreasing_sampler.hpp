// Purpose: draws ranks 0, 1, 2 ... of which each is at most as likely as the one before.
//
//   const DecreasingSampler zipfian = DecreasingSampler::zipfian(1'000'000'000, 0.99);
//   const std::uint64_t rank = zipfian.draw(random);
//
// Exact, by rejection: ranks are cut into stretches that grow by a 32nd; a stretch is drawn
// by Walker's alias method as often as if all of its ranks were as likely as its first, a
// rank in it evenly, and kept with its probability relative to that of the first. The
// probabilities of both laws are convex, so a line below them and one above decide 999 of 1,000
// draws; the others cost a call of pow(). No sum over the ranks is needed: set-up costs some
// hundred calls of pow() at any number of ranks (Hoermann & Derflinger's rejection-inversion is as
// cheap to set up, but takes two transcendental functions a draw).
//
// Thread safety: immutable; one random generator per thread.
// Cost: about 3 ns a draw, 30 KB of tables; set-up about 0.1 ms (`./dev bench index_driver`).
#pragma once

#include <assay/index/workload/fast_random.hpp>

#include <cstdint>
#include <vector>

namespace assay::index {

class DecreasingSampler {
 public:
  /// Zipf's law: P(rank) is proportional to (rank + 1)^-exponent, with an exponent of 0 or more.
  static DecreasingSampler zipfian(std::uint64_t ranks, double exponent);

  /// The self-similar law: the first `skew` of the ranks get 1 - skew of the draws, and the same
  /// holds within these: 0.2 means that 20 % get 80 % (Gray et al., "Quickly generating
  /// billion-record synthetic databases"). `skew` is in [0, 0.5].
  static DecreasingSampler self_similar(std::uint64_t ranks, double skew);

  std::uint64_t draw(FastRandom& random) const {
    for (;;) {
      const Share column = share_of(random.next(), stretches_.size());
      const Stretch& drawn = stretches_[column.index];
      // Branchless, because the processor could not predict whether the draw takes the alias.
      const std::uint64_t is_own = 0 - std::uint64_t{column.within < drawn.own};
      const Stretch& stretch = stretches_[drawn.alias ^ ((drawn.alias ^ column.index) & is_own)];
      const Share rank = share_of(random.next(), stretch.ranks);
      const std::uint64_t surely = ~(stretch.below * rank.index);
      if (rank.within <= surely || is_kept(stretch, rank)) [[likely]] {
        return stretch.first + rank.index;
      }
    }
  }

  /// How often the set-up computed a rank's weight, as a measure of its cost.
  [[nodiscard]] std::uint64_t set_up_steps() const { return set_up_steps_; }

 private:
  struct Stretch {
    // In Walker's alias table: a draw below own / 2^64 takes this stretch, any other the one at
    // `alias`.
    std::uint64_t own;
    std::uint64_t alias;
    std::uint64_t first;
    std::uint64_t ranks;
    // Lower line: rank first + i is at least 1 - i * below / 2^64 times as likely as the first.
    std::uint64_t below;
    // Upper line: rank first + i is at most 1 - i * above / 2^64 times as likely as the first.
    std::uint64_t above;
  };
  enum class Law : std::uint8_t { power, self_similar };

  DecreasingSampler(Law law, std::uint64_t ranks, double exponent);
  void cut_stretches(std::uint64_t ranks);
  void build_alias_table();
  void set_lines(Stretch& stretch, double first);
  [[nodiscard]] double weight_of(std::uint64_t rank) const;
  [[nodiscard]] bool is_kept(const Stretch& stretch, const Share& rank) const;

  Law law_;
  double exponent_;
  std::vector<Stretch> stretches_;
  std::uint64_t set_up_steps_{0};
};

}  // namespace assay::index
