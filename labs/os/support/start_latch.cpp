#include <assay/os/support/start_latch.hpp>

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>

namespace assay::os {

Result<StartLatch> StartLatch::make() {
  auto state = Shared<State>::make();
  if (!state) return state.error();
  return StartLatch(std::move(state).value());
}

void StartLatch::wait_here() const {
  state_->waiting.fetch_add(1);
  while (state_->open.load() == 0) {
    syscall(SYS_futex, &state_->open, FUTEX_WAIT, 0, nullptr, nullptr, 0);
  }
}

void StartLatch::until_waiting(std::int64_t children) const {
  while (state_->waiting.load() < children) sched_yield();
}

void StartLatch::open() const {
  state_->open.store(1);
  syscall(SYS_futex, &state_->open, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void StartLatch::close() const {
  state_->open.store(0);
  state_->waiting.store(0);
}

}  // namespace assay::os
