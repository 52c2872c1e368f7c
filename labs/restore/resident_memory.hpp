// Purpose: how much memory this process holds, and the most it held since a reset.
//
//   reset_peak_resident();
//   fill(tree);
//   peak_resident_bytes();
//
// Where the kernel does not report a value, it is 0.
// Thread safety: any thread; the values are the process's. Cost: reads /proc; never timed.
#pragma once

#include <cstdint>

namespace assay::restore {

/// Resets the peak. False when the kernel does not allow it: then the peak is that since the
/// process began.
bool reset_peak_resident();
std::uint64_t peak_resident_bytes();
std::uint64_t resident_bytes();

}  // namespace assay::restore
