#include <assay/system/worker_barrier.hpp>

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace assay {
namespace {

// Members may be in other processes, whose use of the barrier ThreadSanitizer does not see. These
// two calls tell it that what a member wrote before the barrier is visible to all after it.
#ifdef __SANITIZE_THREAD__
void release_for_tsan(void* at) noexcept {
  __tsan_release(at);
}
void acquire_for_tsan(void* at) noexcept {
  __tsan_acquire(at);
}
#else
void release_for_tsan(void* /*at*/) noexcept {}
void acquire_for_tsan(void* /*at*/) noexcept {}
#endif

static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

// FUTEX_WAIT without FUTEX_PRIVATE_FLAG, because the waiters may be other processes.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t while_it_is) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAIT, while_it_is, nullptr, nullptr, 0);
}

void futex_wake_all(std::atomic<std::uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

std::uint32_t cpus_allowed() noexcept {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<std::uint32_t>(CPU_COUNT(&set));
}

// Iterations of the spin loop before a futex call: longer than two CPUs need to meet, shorter than
// a scheduler's time slice.
constexpr std::uint32_t spins_when_each_has_a_cpu = 20'000;

}  // namespace

WorkerBarrier::WorkerBarrier(std::uint32_t members)
    : members_(members), spins_(members <= cpus_allowed() ? spins_when_each_has_a_cpu : 0) {}

bool WorkerBarrier::wait() noexcept {
  release_for_tsan(this);
  const bool have_all_come = meet();
  acquire_for_tsan(this);
  return have_all_come;
}

bool WorkerBarrier::meet() noexcept {
  const std::uint32_t round = round_.load();
  if (waiting_.fetch_add(1) + 1 < members_) return wait_for_round_after(round);
  waiting_.store(0);
  round_.fetch_add(1);
  if (members_ > 1) futex_wake_all(round_);
  return !abandoned();
}

bool WorkerBarrier::wait_for_round_after(std::uint32_t round) noexcept {
  for (std::uint32_t i = 0; i < spins_ && round_.load() == round; ++i) {
    if (abandoned()) return false;
  }
  while (round_.load() == round && !abandoned()) futex_wait(round_, round);
  return !abandoned();
}

void WorkerBarrier::abandon() noexcept {
  abandoned_.store(true);
  round_.fetch_add(1);
  futex_wake_all(round_);
}

}  // namespace assay
