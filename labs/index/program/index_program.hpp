// Purpose: all of assay-index but its main(): drives an index behind a plug-in and reports the
// results.
//
//   int main(int argc, char** argv) { return assay::index::run_program(argc, argv); }
//
// It is a shared library, so that the loop that calls the plug-in lies near it: a call and return
// over more than 4 GB, from an executable into a library, take 1 ns longer (3.9 ns an operation
// instead of 2.9; Intel's branch predictors keep 32 bits of a distance).
// Thread safety: once a process. Errors: on standard error; the exit code says which kind.
#pragma once

namespace assay::index {

int run_program(int argc, char** argv);

}  // namespace assay::index
