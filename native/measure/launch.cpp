#include <assay/measure/launch.hpp>

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <ctime>
#include <memory>

namespace assay {
namespace {

Error system_error(std::string where, int code, std::string hint = {}) {
  return Error{std::strerror(code), std::move(where), std::move(hint), code};
}

std::int64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) sigaddset(&set, signal);
  return set;
}

// What the child needs, and where it leaves the reason when exec fails: both
// processes share this memory until then.
struct Child {
  char* const* arguments;
  sigset_t signal_mask;
  pid_t launcher;
  int exec_errno;
};

// Runs in the launcher's memory: nothing here may allocate or return to the caller.
int child_main(void* shared) {
  auto& child = *static_cast<Child*>(shared);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != child.launcher) raise(SIGKILL);  // it ended before we asked
  sigprocmask(SIG_SETMASK, &child.signal_mask, nullptr);
  execvp(child.arguments[0], child.arguments);
  child.exec_errno = errno;
  _exit(127);
}

Result<pid_t> start(Child& child) {
  constexpr std::size_t stack_size =
      std::size_t{256} * 1024;  // execvp keeps PATH entries on the stack
  const auto stack =
      std::make_unique_for_overwrite<std::byte[]>(stack_size);  // never touched whole
  // As vfork, but the child has a stack of its own and returns from nothing twice.
  const pid_t pid =
      clone(child_main, stack.get() + stack_size, CLONE_VM | CLONE_VFORK | SIGCHLD, &child);
  if (pid < 0) return system_error("clone", errno);
  if (child.exec_errno == 0) return pid;
  waitpid(pid, nullptr, 0);
  return system_error(child.arguments[0], child.exec_errno, "is the path right, and executable?");
}

// SIGCHLD is only a hint: one that arrives twice is merged, so ask wait4 each time.
int wait_for(pid_t pid, const sigset_t& signals, rusage& usage) {
  int status = 0;
  while (wait4(pid, &status, WNOHANG, &usage) == 0) {
    if (const int signal = sigwaitinfo(&signals, nullptr); signal > 0 && signal != SIGCHLD) {
      kill(pid, SIGKILL);
    }
  }
  return status;
}

Result<bool> pin_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<std::size_t>(cpu), &set);
  if (sched_setaffinity(0, sizeof set, &set) == 0) return true;
  return system_error("CPU " + std::to_string(cpu), errno, "not one this process may run on");
}

Result<bool> keep_from_child(int descriptor) {
  if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0) return true;
  return system_error("report fd " + std::to_string(descriptor), errno);
}

Result<bool> die_with_parent(std::optional<int> parent_pid) {
  const pid_t expected = parent_pid.value_or(getppid());
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return system_error("PR_SET_PDEATHSIG", errno);
  if (getppid() == expected) return true;
  return Error{"the parent process is gone", "assay-launch"};
}

std::vector<char*> argument_pointers(std::vector<std::string>& command) {
  std::vector<char*> pointers;
  pointers.reserve(command.size() + 1);
  for (std::string& word : command) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Result<bool> prepare_launch(const LaunchOptions& options) {
  Result<bool> done = die_with_parent(options.parent_pid);
  if (done && options.cpu) done = pin_to(*options.cpu);
  if (done && options.report_fd) done = keep_from_child(*options.report_fd);
  return done;
}

Result<LaunchReport> launch(const LaunchOptions& options) {
  std::vector<std::string> command = options.command;
  const std::vector<char*> arguments = argument_pointers(command);
  const sigset_t signals = watched_signals();
  Child child{
      .arguments = arguments.data(), .signal_mask = {}, .launcher = getpid(), .exec_errno = 0};
  sigprocmask(SIG_BLOCK, &signals, &child.signal_mask);

  const std::int64_t started_ns = now_ns();
  Result<pid_t> pid = start(child);
  if (!pid) return pid.error();
  rusage usage{};
  const int status = wait_for(*pid, signals, usage);
  return make_launch_report(now_ns() - started_ns, status, usage);
}

}  // namespace assay
