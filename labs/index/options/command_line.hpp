// Purpose: the command line of assay-index, parsed once into Options.
//
//   const auto line = assay::index::parse_command_line(arguments);
//   if (line && line->help) print(*line->help);
//
// PiBench's flags, long and short, and ours. `--pcm`, `--pcm=false` and `--pcm false` all work.
// Thread safety: main thread, once. Cost: none to the measurement.
#pragma once

#include <assay/base/result.hpp>
#include <assay/index/options/options.hpp>

#include <optional>
#include <string>
#include <vector>

namespace assay::index {

struct CommandLine {
  Options options{};
  std::optional<std::string> help{};  // set if --help was given: print it and do nothing else
};

/// Parses the arguments of main() without the program's name.
Result<CommandLine> parse_command_line(std::vector<std::string> arguments);

/// The options with those defaults filled in that depend on other options. An Error if they allow
/// no run: ratios that do not sum to 1, sizes out of range, a pool that cannot be written ...
Result<Options> checked_options(Options options);

}  // namespace assay::index
