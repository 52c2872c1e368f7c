// Purpose: facts about the host as `!Key<tab>Value` lines, with which libMicro's output files
// begin.
//
//   std::fputs(libmicro_facts().c_str(), stdout);
//
// Thread safety: any thread. Cost: reads a few files of /proc; before or after measuring.
#pragma once

#include <string>

namespace assay::os {

std::string libmicro_facts();

}  // namespace assay::os
