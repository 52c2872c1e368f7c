// Purpose: what a run of the catalogue is called as a benchmark: os/strlen/size:10.
//
//   bench_name(command)
//
// Thread safety: pure. Cost: when benchmarks are registered.
#pragma once

#include <assay/os/cli/command.hpp>

#include <string>

namespace assay::os {

/// The name: the case, each option that was given, and the number of workers where there are
/// several.
std::string bench_name(const Command& command);

}  // namespace assay::os
