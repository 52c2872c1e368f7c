#include <assay/restore/rows/row_parser.hpp>

#include <assay/restore/rows/lstat.hpp>
#include <assay/restore/rows/words.hpp>

#include <algorithm>
#include <limits>

namespace assay::restore {
namespace {

constexpr std::uint64_t most_index = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t most_job = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most_any = std::numeric_limits<std::uint64_t>::max();

std::string_view column(Columns columns, Column which) {
  return columns[static_cast<std::size_t>(which)];
}

RowFault check_name(std::string_view name) {
  if (name.size() > longest_name) return RowFault::overlong_name;
  return has_slash_or_nul(name) ? RowFault::slash_or_nul_in_name : RowFault::none;
}

/// Checks the end and the length of a path; the tree checks the rest when it first meets the path.
RowFault check_path_ends(std::string_view path) {
  if (!path.ends_with('/')) return RowFault::path_without_slash;
  return path.size() > longest_path ? RowFault::overlong_path : RowFault::none;
}

template <class Number>
bool parse_column(Columns columns, Column which, std::uint64_t most, Number& number) {
  std::uint64_t value = 0;
  if (!parse_decimal(column(columns, which), most, value)) return false;
  number = static_cast<Number>(value);
  return true;
}

RowFault parse_numbers(Columns columns, ParsedRow& row) {
  using enum RowFault;
  if (!parse_column(columns, Column::file_index, most_index, row.file_index)) {
    return bad_file_index;
  }
  if (!parse_column(columns, Column::job_id, most_job, row.job_id) || row.job_id == 0) {
    return bad_job_id;
  }
  if (!parse_column(columns, Column::delta_seq, most_index, row.delta_seq)) return bad_delta_seq;
  if (!parse_column(columns, Column::fhinfo, most_any, row.fhinfo)) return bad_fhinfo;
  if (!parse_column(columns, Column::fhnode, most_any, row.fhnode)) return bad_fhnode;
  return none;
}

}  // namespace

namespace {

/// Parses at most eight digits at once, after Mula, "SWAR numeric parsing". False if a character is
/// no digit.
bool parse_short_decimal(std::string_view text, std::uint64_t& number) {
  constexpr std::uint64_t zeros = 0x3030303030303030U;
  constexpr std::uint64_t high_halves = 0xf0f0f0f0f0f0f0f0U;
  constexpr std::uint64_t past_nine = 0x0606060606060606U;
  constexpr std::uint64_t pairs = 0x000000ff000000ffU;
  const std::size_t missing_bits = 8 * (8 - text.size());
  const std::uint64_t leading = zeros & ((std::uint64_t{1} << missing_bits) - 1);
  std::uint64_t digits = load_part(text.data(), text.size()) << missing_bits | leading;
  const bool are_digits =
      (digits & high_halves) == zeros && ((digits + past_nine) & high_halves) == zeros;
  digits -= zeros;
  digits = digits * 10 + (digits >> 8U);
  const std::uint64_t upper = (digits & pairs) * (100 + (1'000'000ULL << 32U));
  const std::uint64_t lower = ((digits >> 16U) & pairs) * (1 + (10'000ULL << 32U));
  number = (upper + lower) >> 32U;
  return are_digits;
}

/// Parses a number of more than eight digits. False if a character is no digit or it exceeds 64
/// bits.
bool parse_long_decimal(std::string_view text, std::uint64_t& number) {
  constexpr std::size_t most_digits = 20;  // 2^64 - 1 has 20 digits
  if (text.size() > most_digits) return false;
  std::uint64_t value = 0;
  std::uint64_t before_last = 0;
  for (const char c : text) {
    const auto digit = static_cast<std::uint64_t>(static_cast<unsigned char>(c)) - '0';
    if (digit > 9) return false;
    before_last = value;
    value = value * 10 + digit;
  }
  const bool overflowed = text.size() == most_digits && (before_last > most_any / 10 || value < 10);
  number = value;
  return !overflowed;
}

}  // namespace

bool parse_decimal(std::string_view text, std::uint64_t most, std::uint64_t& number) {
  if (text.empty()) return false;
  if (text.size() == 1) {  // the usual length in most columns
    number = static_cast<std::uint64_t>(static_cast<unsigned char>(text[0])) - '0';
    return number <= std::min<std::uint64_t>(most, 9);
  }
  const bool is_number =
      text.size() <= 8 ? parse_short_decimal(text, number) : parse_long_decimal(text, number);
  return is_number && number <= most;
}

RowFault check_path(std::string_view path) {
  const RowFault fault = check_path_ends(path);
  if (fault != RowFault::none) return fault;
  if (path.find('\0') != path.npos) return RowFault::slash_or_nul_in_name;
  std::size_t begin = path.starts_with('/') ? 1 : 0;
  while (begin < path.size()) {
    const std::size_t length = path.find('/', begin) - begin;
    if (length == 0) return RowFault::empty_component;
    if (length > longest_name) return RowFault::overlong_name;
    begin += length + 1;
  }
  return RowFault::none;
}

RowFault parse_row(Columns columns, ParsedRow& row) {
  if (columns.size() != column_count) return RowFault::wrong_column_count;
  row.path = column(columns, Column::path);
  row.name = column(columns, Column::name);
  RowFault fault = check_path_ends(row.path);
  if (fault == RowFault::none) fault = check_name(row.name);
  if (fault == RowFault::none) fault = parse_numbers(columns, row);
  if (fault != RowFault::none) return fault;
  // Decoded directly into the row: copying it would have to wait for the stores of the numbers.
  return decode_lstat(column(columns, Column::lstat), row.stat);
}

}  // namespace assay::restore
