// Purpose: the LStat column: numbers in base64 with spaces between, decoded and encoded.
//
//   assay::restore::FileStat stat;
//   const RowFault fault = assay::restore::decode_lstat(text, stat);
//
// Fields: dev ino mode nlink uid gid rdev size blksize blocks atime mtime ctime LinkFI, then
// any number more. A field is a number with the digits A-Z a-z 0-9 + /, the most significant
// first; a '-' in front negates it. RFC 4648, which encodes bytes, is another format.
// Thread safety: pure. Cost: 40 ns for a usual LStat of 65 characters (AVX2).
#pragma once

#include <assay/restore/rows/row.hpp>

#include <string>
#include <string_view>

namespace assay::restore {

/// Decodes an LStat. Returns none, bad_lstat_base64 or short_lstat.
RowFault decode_lstat(std::string_view text, FileStat& stat);

/// Appends an LStat as a client would have stored it, from `stat` and `inode`; other fields get
/// usual values.
void append_lstat(std::string& text, const FileStat& stat, std::uint64_t inode);

}  // namespace assay::restore
