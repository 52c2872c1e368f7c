#include <assay/index/crash/child.hpp>

#include <assay/base/units.hpp>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace assay::index::crash {

Signals::Signals() {
  sigemptyset(&waited_for_);
  for (const int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&waited_for_, number);
  sigprocmask(SIG_BLOCK, &waited_for_, &before_);
}

Signals::~Signals() {
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

Signals::Woken Signals::wait(std::chrono::nanoseconds at_most) {
  const timespec timeout{.tv_sec = at_most.count() / ns_per_s,
                         .tv_nsec = at_most.count() % ns_per_s};
  const int number = sigtimedwait(&waited_for_, nullptr, &timeout);
  if (number == SIGCHLD) return Woken::child;
  if (number < 0) return Woken::timeout;
  interrupt_ = number;
  return Woken::interrupted;
}

Child::Child(const std::function<void()>& work) {
  std::fflush(nullptr);  // or both would write what is buffered
  const pid_t parent = getpid();
  process_ = fork();
  if (process_ != 0) return;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == parent) work();
  _exit(0);
}

bool Child::ended() {
  if (process_ <= 0) return true;
  int status = 0;
  if (waitpid(process_, &status, WNOHANG) != process_) return false;
  status_ = status;
  process_ = -1;
  return true;
}

void Child::kill() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
  status_ = status;
  process_ = -1;
}

bool Child::exited_with_0() const {
  return status_ && WIFEXITED(*status_) && WEXITSTATUS(*status_) == 0;
}

std::string Child::how_it_ended() const {
  if (!status_) return "did not start";
  if (WIFSIGNALED(*status_)) {
    const int number = WTERMSIG(*status_);
    return "was killed by signal " + std::to_string(number) + " (" + strsignal(number) + ")";
  }
  return "exited with " + std::to_string(WEXITSTATUS(*status_));
}

}  // namespace assay::index::crash
