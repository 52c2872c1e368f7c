// Purpose: a catalogue row's eight text columns, checked and turned into numbers.
//
//   ParsedRow row;
//   const RowFault fault = parse_row(columns, row);
//   if (fault != RowFault::none) ...describe(fault)...
//
// It does not depend on a tree, so that every implementation is given the same rows.
// Thread safety: pure. Cost: 50 to 60 ns for a usual row, most of it LStat.
#pragma once

#include <assay/restore/rows/row.hpp>

namespace assay::restore {

RowFault parse_row(Columns columns, ParsedRow& row);

/// Checks that `path` ends in '/' and has no component that is empty or too long.
RowFault check_path(std::string_view path);

/// Parses a decimal number of at most `most`; false for a sign, spaces, or no digit at all.
bool parse_decimal(std::string_view text, std::uint64_t most, std::uint64_t& number);

}  // namespace assay::restore
