#include <assay/restore/rows/lstat_usual.hpp>

namespace assay::restore {
namespace {

std::uint64_t pack(std::uint64_t x) {
  x &= 0x3f3f3f3f3f3f3f3fU;
  x = (x & 0x003f003f003f003fU) | ((x & 0x3f003f003f003f00U) >> 2U);
  x = (x & 0x00000fff00000fffU) | ((x & 0x0fff00000fff0000U) >> 4U);
  return (x & 0xffffffU) | ((x & 0x00ffffff00000000U) >> 8U);
}

}  // namespace

bool decode_usual_lstat_plainly(std::string_view text, FileStat& stat) {
  if (text.size() < shortest_usual_lstat || text.size() > longest_usual_lstat) return false;
  LstatCharacters characters;
  std::memset(characters.values.data(), 0, LstatCharacters::margin);
  characters.spaces = {};
  unsigned seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned value = lstat_values[static_cast<unsigned char>(text[i])];
    characters.values[LstatCharacters::margin + i] = static_cast<std::uint8_t>(value);
    characters.spaces[i / 64] |= std::uint64_t{value >> 6U & 1U} << (i % 64);
    seen |= value;
  }
  return (seen & lstat_other) == 0 && read_lstat_fields(characters, text.size(), pack, stat);
}

}  // namespace assay::restore
