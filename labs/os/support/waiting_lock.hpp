// Purpose: waits for a POSIX lock, which belongs to a process, on behalf of one thread of that
// process.
//
//   return retry_on_deadlock([&] { return lockf(file, F_LOCK, 0) == 0; });
//
// All threads of a process own its POSIX locks together, so the kernel may report a deadlock of
// processes (EDEADLK) where there is none between threads. The only remedy is to try again.
// Thread safety: none needed. Cost: one comparison where the lock is free.
#pragma once

#include <sched.h>

#include <cerrno>

namespace assay::os {

template <class Take>
[[nodiscard]] bool retry_on_deadlock(const Take& take) {
  while (!take()) {
    if (errno != EDEADLK) return false;
    sched_yield();
  }
  return true;
}

}  // namespace assay::os
