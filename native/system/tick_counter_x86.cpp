#include <assay/system/tick_counter.hpp>

#include <cpuid.h>
#include <x86intrin.h>

namespace assay::tick_counter {
namespace {

constexpr unsigned features_leaf = 0x80000001;  // EDX bit 27: rdtscp
constexpr unsigned power_leaf = 0x80000007;     // EDX bit 8: invariant counter

bool has_bit(unsigned leaf, unsigned bit) {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(leaf, &eax, &ebx, &ecx, &edx) != 0 && (edx >> bit & 1U) != 0;
}

}  // namespace

bool is_invariant() {
  return has_bit(features_leaf, 27) && has_bit(power_leaf, 8);
}

std::uint64_t begin() noexcept {
  _mm_lfence();
  const std::uint64_t ticks = __rdtsc();
  _mm_lfence();
  return ticks;
}

std::uint64_t end() noexcept {
  unsigned processor = 0;
  const std::uint64_t ticks = __rdtscp(&processor);
  _mm_lfence();
  return ticks;
}

}  // namespace assay::tick_counter
