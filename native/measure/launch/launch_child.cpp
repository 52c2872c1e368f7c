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

bool duplicate_onto(int descriptor, int number) {
  return descriptor < 0 || dup2(descriptor, number) == number;
}

bool set_surroundings(const LaunchChild& child) {
  if (child.own_session && setsid() < 0) return false;
  if (child.folder >= 0 && fchdir(child.folder) != 0) return false;
  return duplicate_onto(child.output, STDOUT_FILENO) && duplicate_onto(child.errors, STDERR_FILENO);
}

// The child's code until exec. It shares the parent's memory, so nothing here may allocate or
// return to the caller.
int child_main(void* shared) {
  auto& child = *static_cast<LaunchChild*>(shared);
  if (!tie_to_parent(child.parent)) raise(SIGKILL);  // the parent has ended already
  sigprocmask(SIG_SETMASK, &child.signal_mask, nullptr);
  if (set_surroundings(child)) execvp(child.arguments[0], child.arguments);
  child.failed_errno = errno;
  _exit(127);
}

// The top of the child's stack. It is allocated once, so that the heap is the same at every launch.
std::byte* stack_end() {
  constexpr std::size_t size = std::size_t{256} * 1024;  // execvp keeps PATH entries on the stack
  static const auto stack =
      std::make_unique_for_overwrite<std::byte[]>(size);  // uninitialised: pages stay untouched
  return stack.get() + size;
}

// Like vfork, but the child has a stack of its own, because after vfork both processes would return
// from this function on one stack.
pid_t clone_child(LaunchChild& child) {
  return clone(child_main, stack_end(), CLONE_VM | CLONE_VFORK | SIGCHLD, &child);
}

}  // namespace

Result<pid_t> start(LaunchChild& child) {
  child.parent = getpid();
  child.failed_errno = 0;
  char** const ours = environ;
  // execvp passes `environ` to the program and searches the PATH that it holds.
  if (child.environment != nullptr) environ = const_cast<char**>(child.environment);
  const pid_t pid = clone_child(child);
  const int code = errno;
  environ = ours;
  if (pid < 0) return system_error("clone", code);
  if (child.failed_errno == 0) return pid;
  waitpid(pid, nullptr, 0);
  return system_error(child.arguments[0], child.failed_errno, "is the path right, and executable?");
}

}  // namespace assay
