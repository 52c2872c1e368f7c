// Purpose: a run as libMicro prints it: what reads its .out files reads this.
//
//   std::fputs(libmicro_report(command, measured, statistics).c_str(), stdout);
//
// Thread safety: pure. Cost: after measuring.
#pragma once

#include <assay/os/cli/command.hpp>
#include <assay/os/cli/launches.hpp>
#include <assay/os/cli/statistics.hpp>

#include <string>

namespace assay::os {

std::string libmicro_report(const Command& command, const Measured& measured,
                            const Statistics& statistics);

/// `# DISTRIBUTION` and what follows it.
std::string libmicro_histogram(const Statistics& statistics);

}  // namespace assay::os
