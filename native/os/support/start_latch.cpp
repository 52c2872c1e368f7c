#include <assay/os/support/start_latch.hpp>

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <new>

namespace assay::os {

Result<Gate> Gate::make() {
  auto pages = SharedPages::make(sizeof(State));
  if (!pages) return pages.error();
  new (pages->as<void>()) State;
  return Gate(std::move(pages).value());
}

void Gate::wait_here() const {
  state().waiting.fetch_add(1);
  while (state().open.load() == 0) {
    syscall(SYS_futex, &state().open, FUTEX_WAIT, 0, nullptr, nullptr, 0);
  }
}

void Gate::until_waiting(std::int64_t children) const {
  while (state().waiting.load() < children) sched_yield();
}

void Gate::open() const {
  state().open.store(1);
  syscall(SYS_futex, &state().open, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Gate::close() const {
  state().open.store(0);
  state().waiting.store(0);
}

}  // namespace assay::os
