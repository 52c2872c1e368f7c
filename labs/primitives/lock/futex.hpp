// Purpose: the kernel's wait on a word, which every lock that sleeps is built on.
//
//   while (word.load() == taken) futex_wait(word, taken);   // returns for no reason, too
//   futex_wake_one(word);
//
// Thread safety: any thread. `futex_wake_one` never reads the word, so its owner may be gone.
// Cost: a system call each.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

namespace assay::primitives {

using FutexWord = std::atomic<std::uint32_t>;

inline void futex_wait(FutexWord& word, std::uint32_t expected) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

inline void futex_wake_one(FutexWord& word) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace assay::primitives
