// Purpose: what a program left running when it ended is found and ended, whatever session or
// process group it moved to.
//
//   assay::adopt_descendants();            // once, before the first program
//   int ended = assay::end_descendants();  // processes that would have run on
//
// A process whose parent ends is given to the nearest ancestor that asked to be a subreaper: us.
// So everything a program started becomes our child sooner or later, and our children are known.
// 140 daemons of one comparison ran on before this was so: each had called setsid.
//
// Thread safety: call it from the only thread of a process, which starts nothing else meanwhile.
//
// Cost to the measurement: one system call after the clock stopped, where nothing was left.
#pragma once

#include <sys/types.h>

namespace assay {

/// Whether the kernel grants it. Without it the process group is all that is ended.
bool adopt_descendants();

/// Reaps adopted processes that have ended by themselves, while `program` may still run. Left
/// alone, a program that starts thousands of short daemons would fill the process table.
void reap_adopted(pid_t program);

/// Kills all children, and theirs, until there is none. Returns how many were killed; what cannot
/// be killed (it runs as another user) is given up after two seconds.
int end_descendants();

}  // namespace assay
