// Purpose: sets a handler of SIGUSR1 that does nothing, as long as this object lives.
//
//   const EmptyHandler handler;   // what was there before is back when this goes
//   EmptyHandler::open_to_it();   // in each thread that is to get the signal
//
// The signal is blocked in the thread that makes this object, and in those it starts; else the
// kernel would give it to the process's first thread, whichever thread sent it.
//
// Thread safety: one at a time in a process. Cost: four system calls, untimed.
#pragma once

#include <csignal>

namespace assay::os {

class EmptyHandler {
 public:
  EmptyHandler() {
    struct sigaction nothing = action();
    sigaction(SIGUSR1, &nothing, &before_);
    const sigset_t it = set();
    pthread_sigmask(SIG_BLOCK, &it, &mask_before_);
  }
  ~EmptyHandler() {
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
    sigaction(SIGUSR1, &before_, nullptr);
  }
  EmptyHandler(const EmptyHandler&) = delete;
  EmptyHandler& operator=(const EmptyHandler&) = delete;

  static void open_to_it() {
    const sigset_t it = set();
    pthread_sigmask(SIG_UNBLOCK, &it, nullptr);
  }

  static struct sigaction action() {
    struct sigaction nothing {};
    nothing.sa_handler = [](int) {};
    return nothing;
  }

 private:
  static sigset_t set() {
    sigset_t it;
    sigemptyset(&it);
    sigaddset(&it, SIGUSR1);
    return it;
  }

  struct sigaction before_ {};
  sigset_t mask_before_{};
};

}  // namespace assay::os
