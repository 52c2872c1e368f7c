// Purpose: what command lines ask for, as JSON, for programs that show what was measured.
//
//   json_commands(R"([["strlen", "-ES", "-s", "1k"]])")
//   [{"name": "strlen", "processes": 1, "threads": 1,
//     "columns": [{"name": "size", "values": [1024]}], "switches": ["echo", "statistics"]}]
//
// Thread safety: pure. Cost: before or after measuring.
#pragma once

#include <assay/base/result.hpp>

#include <string>

namespace assay::os {

/// Parses a JSON list of lists of words; an Error for the first list that is no command line of
/// assay-os. In the result, `columns` are the options that take numbers, with defaults for those
/// that were not given; `switches` are the names of the flags of every case that were given, and
/// "effort" stands for any of -C, -D and --launches.
Result<std::string> json_commands(const std::string& lines);

}  // namespace assay::os
