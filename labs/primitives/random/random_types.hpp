// Purpose: the random sources that the `random` group compares, with one interface.
//
//   RandomType::Mersenne64 source(1729);
//   source.next();      // one call, however many bits that gives
//   source.unit();      // uniform in [0, 1)
//
// Thread safety: one source per thread; GetRandom asks the kernel, from any thread. Cost: that of
// the source. `repeats` says whether the same seed gives the same numbers again.
#pragma once

#include <assay/base/random.hpp>
#include <assay/primitives/group.hpp>

#include <cstdint>
#include <random>
#include <string_view>

namespace assay::primitives {

struct RandomType {
  template <class Engine>
  class Standard {
   public:
    static constexpr Sharing sharing = Sharing::single_threaded;
    static constexpr bool repeats = true;
    explicit Standard(std::uint64_t seed)
        : engine_(static_cast<typename Engine::result_type>(seed)) {}
    std::uint64_t next() { return engine_(); }
    double unit() { return unit_(engine_); }

   private:
    Engine engine_;
    std::uniform_real_distribution<double> unit_;
  };

  struct Mersenne64 : Standard<std::mt19937_64> {
    static constexpr std::string_view name = "RandomType::Mt19937_64";
    using Standard::Standard;
  };

  struct Minstd : Standard<std::minstd_rand> {
    static constexpr std::string_view name = "RandomType::Minstd";
    using Standard::Standard;
  };

  /// The generator of Assay itself, base/random.hpp: xoshiro256++.
  class AssayRandom {
   public:
    static constexpr std::string_view name = "RandomType::AssayRandom";
    static constexpr Sharing sharing = Sharing::single_threaded;
    static constexpr bool repeats = true;
    explicit AssayRandom(std::uint64_t seed) : random_(seed) {}
    std::uint64_t next() { return random_(); }
    double unit() { return random_.unit(); }

   private:
    Random random_;
  };

  /// As FoundationDB's DeterministicRandom makes random01(): 64 bits from a 32-bit mt19937, drawn
  /// one call in advance, divided by 2^64.
  class DeterministicRandom {
   public:
    static constexpr std::string_view name = "RandomType::DeterministicRandom";
    static constexpr Sharing sharing = Sharing::single_threaded;
    static constexpr bool repeats = true;
    explicit DeterministicRandom(std::uint64_t seed)
        : engine_(static_cast<std::uint32_t>(seed)), ahead_(draw()) {}
    std::uint64_t next() {
      const std::uint64_t current = ahead_;
      ahead_ = draw();
      return current;
    }
    /// A number that rounds up to 1, of which there is about one in 2^54, is drawn again.
    double unit() {
      double number = 1;
      while (number >= 1) number = static_cast<double>(next()) / 0x1p64;
      return number;
    }

   private:
    std::uint64_t draw() {
      const std::uint64_t high = engine_();
      return high << 32U ^ engine_();
    }
    std::mt19937 engine_;
    std::uint64_t ahead_;
  };

  /// Asks the kernel for eight bytes by a system call.
  class GetRandom {
   public:
    static constexpr std::string_view name = "RandomType::GetRandom";
    static constexpr Sharing sharing = Sharing::thread_safe;
    static constexpr bool repeats = false;
    explicit GetRandom(std::uint64_t) {}
    std::uint64_t next();
    double unit() { return static_cast<double>(next() >> 11U) * 0x1p-53; }
  };
};

}  // namespace assay::primitives
