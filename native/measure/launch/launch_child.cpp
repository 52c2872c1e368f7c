#include <assay/measure/launch/launch_child.hpp>

#include <assay/system/child_process.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>

namespace assay {
namespace {

bool moved_to(int descriptor, int number) {
  return descriptor < 0 || dup2(descriptor, number) == number;
}

bool surrounded(const LaunchChild& child) {
  if (child.own_session && setsid() < 0) return false;
  if (child.folder >= 0 && fchdir(child.folder) != 0) return false;
  return moved_to(child.output, STDOUT_FILENO) && moved_to(child.errors, STDERR_FILENO);
}

// Runs in the parent's memory: nothing here may allocate or return to the caller.
int child_main(void* shared) {
  auto& child = *static_cast<LaunchChild*>(shared);
  if (!tie_to_parent(child.parent)) raise(SIGKILL);  // it ended before we asked
  sigprocmask(SIG_SETMASK, &child.signal_mask, nullptr);
  if (surrounded(child)) execvp(child.arguments[0], child.arguments);
  child.failed_errno = errno;
  _exit(127);
}

// Made once, so that every launch finds the heap as the launch before it did.
std::byte* stack_end() {
  constexpr std::size_t size = std::size_t{256} * 1024;  // execvp keeps PATH entries on the stack
  static const auto stack =
      std::make_unique_for_overwrite<std::byte[]>(size);  // never touched whole
  return stack.get() + size;
}

// As vfork, but the child has a stack of its own, so that no function returns twice.
pid_t cloned(LaunchChild& child) {
  return clone(child_main, stack_end(), CLONE_VM | CLONE_VFORK | SIGCHLD, &child);
}

}  // namespace

Result<pid_t> start(LaunchChild& child) {
  child.parent = getpid();
  child.failed_errno = 0;
  char** const ours = environ;
  // execvp takes it from here, and searches the PATH in it.
  if (child.environment != nullptr) environ = const_cast<char**>(child.environment);
  const pid_t pid = cloned(child);
  const int code = errno;
  environ = ours;
  if (pid < 0) return system_error("clone", code);
  if (child.failed_errno == 0) return pid;
  waitpid(pid, nullptr, 0);
  return system_error(child.arguments[0], child.failed_errno, "is the path right, and executable?");
}

}  // namespace assay
