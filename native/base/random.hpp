// Purpose: random numbers that are the same on every machine for the same seed.
//
//   assay::Random random(1729);
//   const std::uint64_t index = random.below(100);
//
// The standard library's engines are portable but its distributions are not: hence below() and
// unit(). Not for secrets. Errors: none.
// Thread safety: one generator per thread (`split` makes independent ones).
// Cost: xoshiro256++, about 1 ns a number; below() one multiplication more.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace assay {

/// A small generator that turns any seed, also 0, into well-mixed numbers; Random takes its state
/// from it (SplitMix64, by Steele, Lea and Flood).
class SplitMix {
 public:
  explicit constexpr SplitMix(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

 private:
  std::uint64_t state_;
};

/// The generator xoshiro256++ (Blackman, Vigna). A UniformRandomBitGenerator, so std::shuffle and
/// the like take it.
class Random {
 public:
  using result_type = std::uint64_t;

  explicit constexpr Random(std::uint64_t seed) {
    SplitMix mix(seed);
    for (std::uint64_t& word : state_) word = mix.next();
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }

  constexpr result_type operator()() {
    auto& s = state_;
    const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
    const std::uint64_t shifted = s[1] << 17U;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = std::rotl(s[3], 45);
    return result;
  }

  /// A whole number, uniform in [0, bound), without bias (Lemire's method). A bound of 0 gives 0.
  constexpr std::uint64_t below(std::uint64_t bound) {
    if (bound == 0) return 0;
    Wide product = Wide{(*this)()} * bound;
    const std::uint64_t unfair = (0 - bound) % bound;
    while (static_cast<std::uint64_t>(product) < unfair) product = Wide{(*this)()} * bound;
    return static_cast<std::uint64_t>(product >> 64U);
  }

  /// A number, uniform in [0, 1), with all 53 bits of a double's precision random.
  constexpr double unit() { return static_cast<double>((*this)() >> 11U) * 0x1p-53; }

  /// A generator for another thread, seeded with this one's next number.
  constexpr Random split() { return Random((*this)()); }

 private:
  __extension__ using Wide = unsigned __int128;

  std::array<std::uint64_t, 4> state_{};
};

}  // namespace assay
