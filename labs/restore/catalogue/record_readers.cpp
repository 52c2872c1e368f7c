#include <assay/restore/catalogue/record_readers.hpp>

#include <assay/restore/rows/lstat.hpp>
#include <assay/restore/rows/row_parser.hpp>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <limits>

namespace assay::restore {
namespace {

std::string_view take_until(std::string_view& text, char end) {
  const std::size_t length = text.find(end);
  const std::string_view taken = text.substr(0, length);
  text.remove_prefix(length == text.npos ? text.size() : length + 1);
  return taken;
}

bool parse_octal(std::string_view text, std::uint32_t& number) {
  if (text.empty() || text.size() > 5) return false;
  number = 0;
  for (const char c : text) {
    if (c < '0' || c > '7') return false;
    number = number * 8 + static_cast<std::uint32_t>(c - '0');
  }
  return true;
}

/// The file type bits of a mode for a letter that find prints for %y; 0 for any other letter.
std::uint32_t type_of(char letter) {
  constexpr std::string_view letters = "pcdbfls";
  constexpr std::uint32_t types[] = {0010000,      0020000,      mode_directory, 0060000,
                                     mode_regular, mode_symlink, 0140000};
  const std::size_t at = letters.find(letter);
  return at == letters.npos ? 0 : types[at];
}

struct ListedFile {
  std::uint64_t device{0};
  std::uint64_t inode{0};
  FileStat stat{};
};

template <class Number>
bool take_number(std::string_view& record, Number& number) {
  std::uint64_t value = 0;
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
  if (!parse_decimal(take_until(record, ' '), most, value)) return false;
  number = static_cast<Number>(value);
  return true;
}

/// Removes a time such as "1600000000.1234567890" from the record's front and gives its whole
/// seconds, which are negative before 1970.
bool take_seconds(std::string_view& record, std::int64_t& seconds) {
  std::string_view text = take_until(record, ' ');
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::uint64_t value = 0;
  if (!parse_decimal(text.substr(0, text.find('.')), 1ULL << 62U, value)) return false;
  seconds = negative ? -static_cast<std::int64_t>(value) : static_cast<std::int64_t>(value);
  return true;
}

/// Removes all fields but the path from the record's front.
bool take_facts(std::string_view& record, ListedFile& listed) {
  FileStat& stat = listed.stat;
  std::uint32_t permissions = 0;
  if (!take_number(record, listed.device) || !take_number(record, listed.inode)) return false;
  if (!parse_octal(take_until(record, ' '), permissions)) return false;
  if (!take_number(record, stat.link_count) || !take_number(record, stat.uid)) return false;
  if (!take_number(record, stat.gid) || !take_number(record, stat.size_bytes)) return false;
  if (!take_seconds(record, stat.mtime_s)) return false;
  const std::string_view type = take_until(record, ' ');
  stat.mode = permissions | (type.size() == 1 ? type_of(type[0]) : 0);
  return (stat.mode & mode_type_mask) != 0 && !record.empty();
}

}  // namespace

// ---- CSV -----------------------------------------------------------------------------------

CsvReader::CsvReader(std::string_view text) : left_(text) {
  if (left_.starts_with("Path,") || left_.starts_with("\"Path\",")) next();
}

std::optional<ReadRecord> CsvReader::next() {
  if (left_.empty()) return std::nullopt;
  texts_.clear();
  bool fine = true;
  bool more = true;
  while (more && fine) {
    fine = read_column();
    more = left_.starts_with(',');
    if (more) left_.remove_prefix(1);
  }
  if (!fine) {
    take_until(left_, '\n');
    return ReadRecord{RowFault::unreadable_record, {}};
  }
  skip_line_end();
  columns_.assign(texts_.begin(), texts_.end());
  return ReadRecord{RowFault::none, columns_};
}

/// Reads a column. False when a quoted column has no closing quote, or text after it, or an
/// unquoted one contains a quote.
bool CsvReader::read_column() {
  std::string& column = texts_.emplace_back();
  if (left_.starts_with('"')) return read_quoted(column);
  column = left_.substr(0, left_.find_first_of(",\r\n"));
  left_.remove_prefix(column.size());
  return column.find('"') == column.npos;
}

bool CsvReader::read_quoted(std::string& column) {
  std::string_view rest = left_.substr(1);
  while (true) {
    const std::size_t quote = rest.find('"');
    // left_ stays at the column, so that the unreadable record ends with its line.
    if (quote == rest.npos) return false;
    column += rest.substr(0, quote);
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) break;
    column += '"';
    rest.remove_prefix(1);
  }
  if (!rest.empty() && rest.find_first_of(",\r\n") != 0) return false;
  left_ = rest;
  return true;
}

void CsvReader::skip_line_end() {
  if (left_.starts_with('\r')) left_.remove_prefix(1);
  if (left_.starts_with('\n')) left_.remove_prefix(1);
}

// ---- find's listing ------------------------------------------------------------------------

std::optional<ReadRecord> ListingReader::next() {
  if (left_.empty()) return std::nullopt;
  const RowFault fault = read(take_until(left_, '\0'));
  if (fault != RowFault::none) return ReadRecord{fault, {}};
  return ReadRecord{RowFault::none, columns_};
}

RowFault ListingReader::read(std::string_view record) {
  ListedFile listed;
  if (!take_facts(record, listed)) return RowFault::unreadable_record;
  ++file_index_;
  const bool is_directory = (listed.stat.mode & mode_type_mask) == mode_directory;
  if (!is_directory && listed.stat.link_count > 1) {
    listed.stat.link_file_index = link_to_first_name(listed.device, listed.inode);
  }
  std::string path(record);
  if (is_directory && !path.ends_with('/')) path += '/';
  const std::size_t name = is_directory ? path.size() : path.rfind('/') + 1;
  texts_ = {
      path.substr(0, name), path.substr(name), std::to_string(file_index_), "1", "", "0", "0", "0"};
  if (texts_[0].empty()) texts_[0] = "/";
  append_lstat(texts_[static_cast<std::size_t>(Column::lstat)], listed.stat, listed.inode);
  for (std::size_t i = 0; i < column_count; ++i) columns_[i] = texts_[i];
  return RowFault::none;
}

/// The FileIndex of the first name of this inode; 0 where the current record is that first name.
std::uint32_t ListingReader::link_to_first_name(std::uint64_t device, std::uint64_t inode) {
  const auto [known, is_new] = first_names_.try_emplace({device, inode}, file_index_);
  return is_new ? 0 : known->second;
}

Result<std::string> read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{"cannot be opened", path, "is the path right, and may you read it?", errno};
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) return Error{"cannot be read to its end", path, {}, errno};
  return text;
}

}  // namespace assay::restore
