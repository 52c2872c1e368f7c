// Purpose: the host, as libMicro's files of a whole run begin: `!Key<tab>Value` lines.
//
//   std::fputs(libmicro_facts().c_str(), stdout);
//
// Thread safety: any thread. Cost: reads a few files of /proc; before or after measuring.
#pragma once

#include <string>

namespace assay::os {

std::string libmicro_facts();

}  // namespace assay::os
