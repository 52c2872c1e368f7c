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

/// Takes a list of lists of words, as JSON; an Error for the first that is no command line of
/// assay-os.
/// `columns` are the options that take numbers, those not given included; `switches` go by the
/// names of the options, and "effort" stands for any of -C, -D and --launches.
Result<std::string> json_commands(const std::string& lines);

}  // namespace assay::os
