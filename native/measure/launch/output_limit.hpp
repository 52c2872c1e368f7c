// Purpose: limits the memory that a program's output takes. It goes to a memory file, of which only
// the end is read. Without a limit, 1 GB of output took 1 GB here and another 1 GB in Assay.
//
//   assay::drop_all_but_the_end(file);  // now and then, while the program writes
//
// The file keeps its size, so the program and the reader see the same offsets as before: what is
// dropped reads as zeros. Files that cannot have holes (a pipe, a terminal) are left as they are.
//
// Thread safety: as the file's own.
//
// Cost to the measurement: the launcher wakes ten times a second to check the size of two files,
// which takes about 2 us on the CPU of the program. Launches of under 100 ms are never disturbed.
#pragma once

#include <cstdint>

namespace assay {

inline constexpr int output_look_ms = 100;
inline constexpr std::int64_t kept_output_bytes = std::int64_t{32} << 20U;

/// Frees the memory of all but the last `kept_bytes` of the file, once it holds twice as much.
void drop_all_but_the_end(int file, std::int64_t kept_bytes = kept_output_bytes);

}  // namespace assay
