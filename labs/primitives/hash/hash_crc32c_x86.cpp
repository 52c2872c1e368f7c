#include <assay/primitives/hash/hash_group.hpp>

#include <nmmintrin.h>

#include <cstring>

namespace assay::primitives {
namespace {

/// One chain of dependent crc32 instructions: a third as fast as three interleaved chains would be.
__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse42(std::string_view text) {
  std::uint64_t value = 0xffffffffU;
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= sizeof(std::uint64_t);
       left -= sizeof(std::uint64_t), at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    value = _mm_crc32_u64(value, word);
  }
  auto narrow = static_cast<std::uint32_t>(value);
  for (; left > 0; --left, ++at) narrow = _mm_crc32_u8(narrow, static_cast<unsigned char>(*at));
  return ~narrow;
}

/// Checks that it agrees with crc32c_table() for all lengths below 100 bytes.
Problem check() {
  Random random(1729);
  for (std::size_t size = 0; size < 100; ++size) {
    const std::string text = random_text(size, random);
    if (crc32c_sse42(text) != crc32c_table(text)) return "differs from the table";
  }
  return check_known(crc32c_sse42, crc32c_text, crc32c_of_text);
}

}  // namespace

const OptionalPart crc32c_instruction_part([](Group& group) {
  if (__builtin_cpu_supports("sse4.2") == 0) return;
  add_hash(group, "HashType::Crc32cSse42", crc32c_sse42, check);
});

}  // namespace assay::primitives
