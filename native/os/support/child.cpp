#include <assay/os/support/child.hpp>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace assay::os {

pid_t fork_child() {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it ended before we asked
  return 0;
}

Trouble wait_for_success(pid_t child) {
  if (child < 0) return failed("fork");
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return failed("waitpid");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return fine;
  if (WIFSIGNALED(status)) {
    return Error{"the child was ended by signal " + std::to_string(WTERMSIG(status))};
  }
  return Error{"the child exited with code " + std::to_string(WEXITSTATUS(status))};
}

void end_child(pid_t child) {
  if (child < 1) return;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

}  // namespace assay::os
