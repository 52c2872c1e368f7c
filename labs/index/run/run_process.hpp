// Purpose: a whole run, from loading the plug-in to deleting its tree, in the process that the
// supervisor started for it.
//
//   run_child({options, file, results, phases, page});  // supervisor.cpp; does not return
//
// It writes everything it finds out to the shared results and prints nothing. What the plug-in
// prints on standard output goes to standard error: standard output is for results.
//
// Thread safety: the child's main thread. Cost: see worker.hpp.
#pragma once

#include <assay/index/options/options.hpp>
#include <assay/index/options_page.hpp>
#include <assay/index/run/shared_results.hpp>
#include <assay/index/workload/key_file.hpp>

#include <memory>

namespace assay::index {

struct ChildSetup {
  const Options& options;
  const KeyFile* file;
  const SharedResults& results;
  // An eventfd, written to at each change of phase.
  int phases;
  // The options for create_tree; shows the supervisor whether it read beyond them.
  std::shared_ptr<OptionsPage> page;
};

[[noreturn]] void run_child(const ChildSetup& setup);

}  // namespace assay::index
