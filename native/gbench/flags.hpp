// Purpose: which output was asked of a benchmark executable. The library reads these
// flags too, but keeps them to itself, and reporters must be chosen before it runs.
//
//   const assay::GbenchFlags flags = assay::take_gbench_flags(argc, argv);
//
// Thread safety: reads the environment, so call it before there are threads. Cost: none to the
// measurement.
#pragma once

#include <string>

namespace assay {

struct GbenchFlags {
  std::string format{"console"};
  std::string out{};  // empty: no file
  std::string out_format{"json"};
  bool memory_pass{true};
};

/// Reads flags, or the environment variables the library reads in their absence. Our own
/// (--assay_*) are removed from the arguments, the library's left for it.
GbenchFlags take_gbench_flags(int& argc, char** argv);

}  // namespace assay
