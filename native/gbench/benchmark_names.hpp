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

/// The benchmarks' names in the order they run, unless the library interleaves them at random.
/// Empty where the environment has BENCHMARK_CONTEXT or BENCHMARK_LIST_TESTS: listing is not tried
/// then.
std::vector<std::string> benchmark_names(int argc, char** argv);

/// The user's arguments for the library's next Initialize(), which switch the listing off again
/// unless the user asks for it. The library keeps pointers to them, so they must outlive it.
std::vector<std::string> arguments_to_run(int argc, char** argv);

/// Pointers to the words, as `main` gets them: a null pointer is the last.
std::vector<char*> pointers_to(std::vector<std::string>& words);

}  // namespace assay
