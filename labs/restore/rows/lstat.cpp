#include <assay/restore/rows/lstat.hpp>

#include <assay/restore/rows/lstat_usual.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace assay::restore {
namespace {

void fill(FileStat& stat, const std::array<std::int64_t, lstat_fields>& fields) {
  stat.mode = static_cast<std::uint32_t>(fields[LstatField::mode]);
  stat.link_count = static_cast<std::uint32_t>(fields[LstatField::link_count]);
  stat.uid = static_cast<std::uint32_t>(fields[LstatField::uid]);
  stat.gid = static_cast<std::uint32_t>(fields[LstatField::gid]);
  stat.size_bytes = fields[LstatField::size];
  stat.mtime_s = fields[LstatField::mtime];
  stat.link_file_index = static_cast<std::uint32_t>(fields[LstatField::link]);
}

/// Decodes one field. False for an empty one, for a character that is no digit, or for more than 64
/// bits.
bool decode_field(std::string_view text, std::int64_t& number) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::uint64_t value = 0;
  for (const char c : text) {
    const std::uint8_t digit = lstat_values[static_cast<unsigned char>(c)];
    if (digit >= lstat_space || value >> 58U != 0) return false;
    value = value << 6U | digit;
  }
  number = static_cast<std::int64_t>(negative ? 0 - value : value);
  return !text.empty();
}

RowFault decode_carefully(std::string_view text, FileStat& stat) {
  std::array<std::int64_t, lstat_fields> fields{};
  std::size_t count = 0;
  while (true) {
    const std::size_t length = std::min(text.find(' '), text.size());
    std::int64_t number = 0;
    if (!decode_field(text.substr(0, length), number)) return RowFault::bad_lstat_base64;
    if (count < lstat_fields) fields[count] = number;
    ++count;
    if (length == text.size()) break;
    text.remove_prefix(length + 1);
  }
  if (count < lstat_fields) return RowFault::short_lstat;
  fill(stat, fields);
  return RowFault::none;
}

void append_number(std::string& text, std::int64_t number) {
  auto value = static_cast<std::uint64_t>(number);
  if (number < 0) {
    text += '-';
    value = 0 - value;
  }
  std::array<char, 11> reversed;
  std::size_t length = 0;
  do {
    reversed[length++] = lstat_digits[value & 63U];
    value >>= 6U;
  } while (value != 0);
  while (length > 0) text += reversed[--length];
}

}  // namespace

RowFault decode_lstat(std::string_view text, FileStat& stat) {
  return decode_usual_lstat(text, stat) ? RowFault::none : decode_carefully(text, stat);
}

void append_lstat(std::string& text, const FileStat& stat, std::uint64_t inode) {
  constexpr std::int64_t device = 0x10302;
  constexpr std::int64_t block_bytes = 4096;
  const std::int64_t sectors = (stat.size_bytes + 511) / 512;
  const std::array<std::int64_t, 16> fields{device,
                                            static_cast<std::int64_t>(inode),
                                            stat.mode,
                                            stat.link_count,
                                            stat.uid,
                                            stat.gid,
                                            0,
                                            stat.size_bytes,
                                            block_bytes,
                                            sectors,
                                            stat.mtime_s,
                                            stat.mtime_s,
                                            stat.mtime_s,
                                            stat.link_file_index,
                                            0,
                                            0};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) text += ' ';
    append_number(text, fields[i]);
  }
}

}  // namespace assay::restore
