// Purpose: the runs of `assay os all`: their names, cases and options.
//
//   for (const CatalogueRun& run : catalogue()) all.push_back(run.words());  // {"exec", "-N", ...}
//
// Thread safety: pure. Cost: made anew by each call; before measuring.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay::os {

struct CatalogueRun {
  std::string name;
  std::string_view what;  // the case's name
  std::string options;    // as typed on a command line, without -N

  /// The command line, for parse_command().
  [[nodiscard]] std::vector<std::string> words() const;
};

/// Several runs of one case, written as a pattern. In the name and in the options, * stands for
/// each of `words` and % for each of `more`, which changes faster. The word "t=@tmp" becomes t in
/// the name and @tmp in the options.
struct CatalogueRuns {
  std::string_view name;
  std::string_view what;
  std::string_view options{};
  std::string_view words{};
  std::string_view more{};
};

/// All runs of these patterns, with * and % replaced.
std::vector<CatalogueRun> expanded_runs(std::span<const CatalogueRuns> families);

/// libMicro's 261 runs.
std::vector<CatalogueRun> libmicro_runs();
/// Runs of system calls that Linux has and libMicro does not measure.
std::vector<CatalogueRun> linux_runs();
/// The runs of libMicro, then those of Linux.
std::vector<CatalogueRun> catalogue();

}  // namespace assay::os
