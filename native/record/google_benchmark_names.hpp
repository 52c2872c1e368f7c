// Purpose: which benchmarks an executable is about to run, so that one that ends the process
// can be named in the file of results.
//
//   const std::vector<std::string> names = assay::benchmark_names(argc, argv);
//
// Thread safety: main thread, before the library's Initialize(). Cost: none to the
// measurement; the library lists itself, about 0.1 ms.
#pragma once

#include <string>
#include <vector>

namespace assay {

/// In the order they run (but for random interleaving). Empty where they cannot be asked for.
std::vector<std::string> benchmark_names(int argc, char** argv);

}  // namespace assay
