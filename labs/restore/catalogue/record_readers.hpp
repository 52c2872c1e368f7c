// Purpose: reads catalogue rows from a CSV file, or from a listing by find(1).
//
//   CsvReader reader(text);
//   while (const auto record = reader.next()) {
//     if (record->fault == RowFault::none) intake.take(record->columns);
//     else intake.reject(record->fault);
//   }
//
// CSV: the eight columns in the order of `Column`, quoted where they hold a comma, a quote or
// a newline (RFC 4180); a first line that begins with Path is a heading. Rows with another
// number of columns are returned as they are: parse_row() rejects them.
//
// Listing: what this command prints; names may contain newlines:
//   find /home -printf '%D %i %m %n %U %G %s %T@ %y %p\0'
// Rows get FileIndexes in the order of the listing and JobId 1; the second and later names of a
// file (same device and inode) are hard links to the first.
//
// A record that cannot be read is returned with its fault; the next ones are read all the same.
// Thread safety: one thread. Cost: never timed. The text must outlive the reader.
#pragma once

#include <assay/base/result.hpp>
#include <assay/restore/rows/row.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::restore {

/// `columns` is valid until the next record is read.
struct ReadRecord {
  RowFault fault{RowFault::none};
  Columns columns{};
};

class CsvReader {
 public:
  explicit CsvReader(std::string_view text);
  std::optional<ReadRecord> next();

 private:
  bool read_column();
  bool read_quoted(std::string& column);
  void skip_line_end();

  std::string_view left_;
  std::vector<std::string> texts_{};
  std::vector<std::string_view> columns_{};
};

class ListingReader {
 public:
  explicit ListingReader(std::string_view text) : left_(text) {}
  std::optional<ReadRecord> next();

 private:
  RowFault read(std::string_view record);
  std::uint32_t link_to_first_name(std::uint64_t device, std::uint64_t inode);

  std::string_view left_;
  std::uint32_t file_index_{0};
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> first_names_{};
  std::array<std::string, column_count> texts_{};
  RowText columns_{};
};

/// The whole text of a file.
Result<std::string> read_text(const std::string& path);

}  // namespace assay::restore
