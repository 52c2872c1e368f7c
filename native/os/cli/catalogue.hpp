// Purpose: the runs of `assay os all`: names, cases, and how they are set.
//
//   for (const CatalogueRun& run : catalogue()) all.push_back(run.words());  // {"exec", "-N", ...}
//
// Thread safety: pure. Cost: made anew by each call; before measuring.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::os {

struct CatalogueRun {
  std::string_view name;
  std::string_view what;     // the case
  std::string_view options;  // as one types them, without -N

  /// What parse_command wants.
  [[nodiscard]] std::vector<std::string> words() const;
};

/// libMicro's 261 runs.
std::vector<CatalogueRun> libmicro_runs();
/// What has come since.
std::vector<CatalogueRun> linux_runs();
/// Both.
std::vector<CatalogueRun> catalogue();

}  // namespace assay::os
