// Purpose: finds and kills the processes that a program left running when it ended, whatever
// session or process group they moved to.
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

/// Makes this process a subreaper. False where the kernel refuses: then only the program's process
/// group can be killed.
bool adopt_descendants();

/// Reaps adopted processes that have ended by themselves, while `program` may still run. Otherwise
/// the zombies of a program that starts thousands of short daemons would fill the process table.
void reap_adopted(pid_t program);

/// Kills all children and their descendants until there is none, and returns how many were killed.
/// A process that cannot be killed, because another user runs it, is given up after two seconds.
int end_descendants();

}  // namespace assay
