#include <assay/system/child_process.hpp>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

namespace assay {

bool tie_to_parent(pid_t parent) noexcept {
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

void keep_child_statuses() noexcept {
  struct sigaction now {};
  if (sigaction(SIGCHLD, nullptr, &now) != 0) return;
  // Only an ignored SIGCHLD is changed: a handler that the program installed itself stays.
  if (now.sa_handler == SIG_IGN || (now.sa_flags & SA_NOCLDWAIT) != 0)
    std::signal(SIGCHLD, SIG_DFL);
}

pid_t fork_tied() noexcept {
  keep_child_statuses();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0 && !tie_to_parent(parent)) _exit(1);
  return child;
}

Status wait_for_success(pid_t child) {
  if (child < 0) return Error{std::string("fork: ") + std::strerror(errno), "", "", errno};
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR)
      return Error{std::string("waitpid: ") + std::strerror(errno), "", "", errno};
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  if (WIFSIGNALED(status)) {
    return Error{"the child was ended by signal " + std::to_string(WTERMSIG(status))};
  }
  return Error{"the child exited with code " + std::to_string(WEXITSTATUS(status))};
}

void end_child(pid_t child) {
  if (child < 1) return;
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) continue;
}

std::string ending_of(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return "was killed by signal " + std::to_string(number) + " (" + strsignal(number) + ")";
  }
  return "exited with " + std::to_string(WEXITSTATUS(status));
}

ChildProcess::ChildProcess(const std::function<void()>& work, How how) {
  std::fflush(nullptr);  // buffered output would be written by parent and child
  process_ = fork_tied();
  started_ = process_ > 0;
  if (process_ != 0) return;
  if (how.default_signals) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
  }
  if (how.own_group) setpgid(0, 0);
  work();
  _exit(0);
}

bool ChildProcess::ended() {
  if (process_ <= 0) return true;
  int status = 0;
  const pid_t found = waitpid(process_, &status, WNOHANG);
  if (found == 0 || (found < 0 && errno == EINTR)) return false;
  // If it was not found, another waitpid() in this process has taken the status.
  if (found == process_) status_ = status;
  process_ = -1;
  return true;
}

void ChildProcess::kill() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  int status = 0;
  pid_t found = -1;
  while ((found = waitpid(process_, &status, 0)) < 0 && errno == EINTR) continue;
  if (found == process_) status_ = status;
  process_ = -1;
}

bool ChildProcess::exited_with_0() const {
  return status_ && WIFEXITED(*status_) && WEXITSTATUS(*status_) == 0;
}

std::string ChildProcess::how_it_ended() const {
  if (status_) return ending_of(*status_);
  return started_ ? "ended, and somebody else was told how" : "did not start";
}

}  // namespace assay
