// Purpose: one row of a backup catalogue, as text and as parsed values.
//
//   assay::restore::ParsedRow row;
//   const RowFault fault = assay::restore::parse_row(columns, row);
//
// The eight text columns are those that a Bareos catalogue returns for a restore. Views point
// into the caller's text: neither form owns anything.
// Thread safety: values. Cost: none; parsing has its own header.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace assay::restore {

enum class Column : std::uint8_t {
  path,
  name,
  file_index,
  job_id,
  lstat,
  delta_seq,
  fhinfo,
  fhnode,
};

inline constexpr std::size_t column_count = 8;

/// A row's eight columns in the order of `Column`. `Columns` has as many as a reader found, which
/// may be another number.
using RowText = std::array<std::string_view, column_count>;
using Columns = std::span<const std::string_view>;

/// The longest path component that a tree accepts, and below it the longest path, in bytes.
inline constexpr std::size_t longest_name = 255;
inline constexpr std::size_t longest_path = 65'535;

/// The fields of LStat that are used. Trees store all but link_file_index, which they resolve to an
/// entry.
struct FileStat {
  std::uint32_t mode{0};
  std::uint32_t link_count{0};
  std::uint32_t uid{0};
  std::uint32_t gid{0};
  std::int64_t size_bytes{0};
  std::int64_t mtime_s{0};
  // FileIndex of the file's first name; 0: this is no hard link, or itself the first name.
  std::uint32_t link_file_index{0};

  bool operator==(const FileStat&) const = default;
};

inline constexpr std::uint32_t mode_type_mask = 0170000;
inline constexpr std::uint32_t mode_directory = 0040000;
inline constexpr std::uint32_t mode_regular = 0100000;
inline constexpr std::uint32_t mode_symlink = 0120000;

constexpr bool is_regular(std::uint32_t mode) {
  return (mode & mode_type_mask) == mode_regular;
}
constexpr bool is_symlink(std::uint32_t mode) {
  return (mode & mode_type_mask) == mode_symlink;
}

struct ParsedRow {
  std::string_view path{};  // always ends in '/'
  std::string_view name{};  // empty: the row is of the directory `path` itself
  std::uint32_t file_index{0};
  std::uint32_t job_id{0};
  FileStat stat{};
  std::uint32_t delta_seq{0};
  std::uint64_t fhinfo{0};
  std::uint64_t fhnode{0};

  [[nodiscard]] bool is_directory() const { return name.empty(); }
  /// Whether the row is a hard link that points to the first name of its file.
  [[nodiscard]] bool is_link() const { return stat.link_file_index != 0 && !name.empty(); }
};

/// Why a row was rejected. A rejected row does not change the tree.
enum class RowFault : std::uint8_t {
  none,
  wrong_column_count,
  path_without_slash,
  empty_component,
  overlong_path,
  overlong_name,
  slash_or_nul_in_name,
  bad_file_index,
  bad_job_id,
  bad_lstat_base64,
  short_lstat,
  bad_delta_seq,
  bad_fhinfo,
  bad_fhnode,
  delta_without_predecessor,
  delta_out_of_sequence,
  hard_link_cycle,
  too_many_jobs,
  tree_full,
  unreadable_record,
};

/// One line that says what is wrong with the row, and the limit where one was exceeded.
std::string_view describe(RowFault fault);

}  // namespace assay::restore
