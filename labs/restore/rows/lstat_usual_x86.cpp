// decode_usual_lstat() for x86-64: with vectors of 32 bytes (AVX2) and one instruction that gathers
// bits (BMI2's pext), where the processor has both.
#include <assay/restore/rows/lstat_usual.hpp>

#include <immintrin.h>

#include <algorithm>

#define ASSAY_WITH_AVX2 __attribute__((target("avx2,bmi,bmi2")))

namespace assay::restore {
namespace {

constexpr std::size_t width = 32;

/// A table for _mm256_shuffle_epi8: the same sixteen bytes in both halves of a vector.
ASSAY_WITH_AVX2 inline __m256i table(const std::array<std::uint8_t, 16>& bytes) {
  return _mm256_broadcastsi128_si256(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes.data())));
}

// After Mula and Lemire, "Faster Base64 Encoding and Decoding Using AVX2 Instructions" (2018):
// a character is no digit when the entries of its lower and its upper four bits have a bit in
// common.
constexpr std::array<std::uint8_t, 16> sets_of_low{0x15, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
                                                   0x11, 0x11, 0x13, 0x1a, 0x1b, 0x1b, 0x1b, 0x1a};
constexpr std::array<std::uint8_t, 16> sets_of_high{0x10, 0x10, 0x01, 0x02, 0x04, 0x08, 0x04, 0x08,
                                                    0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x10};
/// What to add to a digit to get its value, indexed by its upper four bits; for '/' by one less.
constexpr std::array<std::uint8_t, 16> shifts{0, 16, 19, 4, 191, 191, 185, 185,
                                              0, 0,  0,  0, 0,   0,   0,   0};

struct Progress {
  __m256i wrong;
  std::array<std::uint64_t, 3> spaces;
};

ASSAY_WITH_AVX2 inline void take_at(std::string_view text, std::size_t at,
                                    LstatCharacters& characters, Progress& progress) {
  const __m256i c = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text.data() + at));
  const __m256i nibble = _mm256_set1_epi8(0x0f);
  const __m256i high = _mm256_and_si256(_mm256_srli_epi32(c, 4), nibble);
  const __m256i low = _mm256_and_si256(c, nibble);
  const __m256i is_slash = _mm256_cmpeq_epi8(c, _mm256_set1_epi8('/'));
  const __m256i is_space = _mm256_cmpeq_epi8(c, _mm256_set1_epi8(' '));
  const __m256i shift = _mm256_shuffle_epi8(table(shifts), _mm256_add_epi8(is_slash, high));
  const __m256i sets = _mm256_and_si256(_mm256_shuffle_epi8(table(sets_of_low), low),
                                        _mm256_shuffle_epi8(table(sets_of_high), high));
  progress.wrong = _mm256_or_si256(progress.wrong, _mm256_andnot_si256(is_space, sets));
  std::uint8_t* const values = characters.values.data() + LstatCharacters::margin + at;
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(values), _mm256_add_epi8(c, shift));
  const std::uint64_t bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(is_space));
  progress.spaces[at / 64] |= bits << (at % 64);
  progress.spaces[at / 64 + 1] |= bits >> 1U >> (63 - at % 64);
}

/// The last vector overlaps the one before, so that none reads beyond the text. For all usual
/// lengths three vectors are used: if their number depended on the length, its branch would be
/// mispredicted in one row of four.
ASSAY_WITH_AVX2 bool decode_with_avx2(std::string_view text, FileStat& stat) {
  LstatCharacters characters;
  std::memset(characters.values.data(), 0, LstatCharacters::margin);
  Progress progress{_mm256_setzero_si256(), {}};
  const std::size_t last = text.size() - width;
  take_at(text, 0, characters, progress);
  take_at(text, std::min(width, last), characters, progress);
  if (last > 2 * width) take_at(text, 2 * width, characters, progress);
  take_at(text, last, characters, progress);
  characters.spaces = {progress.spaces[0], progress.spaces[1]};
  if (_mm256_testz_si256(progress.wrong, progress.wrong) == 0) return false;
  const auto pack = [](std::uint64_t digits) ASSAY_WITH_AVX2 {
    return static_cast<std::uint64_t>(_pext_u64(digits, 0x3f3f3f3f3f3f3f3fU));
  };
  return read_lstat_fields(characters, text.size(), pack, stat);
}

/// Whether to use AVX2 and BMI2. Not on the first two generations of Zen, whose pext is slow: it
/// gathers bits one by one.
bool has_fast_avx2_and_bmi2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi2") != 0 &&
         __builtin_cpu_is("znver1") == 0 && __builtin_cpu_is("znver2") == 0;
}

}  // namespace

bool decode_usual_lstat(std::string_view text, FileStat& stat) {
  static const bool fast = has_fast_avx2_and_bmi2();
  if (!fast) return decode_usual_lstat_plainly(text, stat);
  const bool fits = text.size() >= shortest_usual_lstat && text.size() <= longest_usual_lstat;
  return fits && decode_with_avx2(text, stat);
}

}  // namespace assay::restore
