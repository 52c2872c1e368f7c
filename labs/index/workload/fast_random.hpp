// Purpose: random numbers for a loop in which each nanosecond is the driver's cost.
//
//   FastRandom random(seed);
//   const Share share = share_of(random.next(), records);   // share.index < records
//
// wyrand (Wang Yi): a counter and one wide multiplication, so that a number does not have to wait
// for the one before, as with base/random.hpp, which everything outside of the loop uses.
//
// Thread safety: one generator per thread. Cost: about 0.5 ns a number.
#pragma once

#include <cstdint>

namespace assay::index {

__extension__ using Wide = unsigned __int128;

class FastRandom {
 public:
  explicit constexpr FastRandom(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0xa0761d6478bd642fU;
    const Wide product = Wide{state_} * (state_ ^ 0xe7037ed1a0b428dbU);
    return static_cast<std::uint64_t>(product >> 64U) ^ static_cast<std::uint64_t>(product);
  }

 private:
  std::uint64_t state_;
};

/// Which of `count` equal parts of [0, 1) a random number falls into, and its position inside that
/// part as a fraction of 2^64. With n parts the bias is below n / 2^64.
struct Share {
  std::uint64_t index;
  std::uint64_t within;
};

constexpr Share share_of(std::uint64_t random, std::uint64_t count) {
  const Wide product = Wide{random} * count;
  return {.index = static_cast<std::uint64_t>(product >> 64U),
          .within = static_cast<std::uint64_t>(product)};
}

}  // namespace assay::index
