// Purpose: how much memory this process holds, and the most it held since a reset.
//
//   reset_peak_resident();
//   fill(tree);
//   peak_resident_bytes();
//
// Where the kernel keeps no such account, or does not let the peak be reset, 0 is told.
// Thread safety: any thread; the account is the process's. Cost: reads /proc; never timed.
#pragma once

#include <cstdint>

namespace assay::restore {

/// False when the kernel says no: the peak then is since the process began.
bool reset_peak_resident();
std::uint64_t peak_resident_bytes();
std::uint64_t resident_bytes();

}  // namespace assay::restore
