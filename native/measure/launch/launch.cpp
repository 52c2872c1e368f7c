#include <assay/measure/launch/launch.hpp>

#include <assay/measure/launch/launch_child.hpp>
#include <assay/system/child_process.hpp>
#include <assay/system/clock.hpp>
#include <assay/system/cpu_set.hpp>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

namespace assay {
namespace {

sigset_t watched_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) sigaddset(&set, signal);
  return set;
}

// Waits for the program, and kills it at SIGTERM, SIGINT or SIGHUP. Two SIGCHLD may merge into one,
// so wait4 is asked after every signal.
Result<int> wait_for(pid_t pid, const sigset_t& signals, rusage& usage) {
  int status = 0;
  pid_t ended = 0;
  while ((ended = wait4(pid, &status, WNOHANG, &usage)) == 0) {
    if (const int signal = sigwaitinfo(&signals, nullptr); signal > 0 && signal != SIGCHLD) {
      kill(pid, SIGKILL);
    }
  }
  if (ended != pid) return system_error("wait4", errno, "how the program ended is not known");
  return status;
}

Status keep_from_child(int descriptor) {
  if (fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0) return {};
  return system_error("report fd " + std::to_string(descriptor), errno);
}

Status die_with_parent(std::optional<int> parent_pid) {
  if (tie_to_parent(parent_pid.value_or(getppid()))) return {};
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

Status prepare_launch(const LaunchOptions& options) {
  Status done = die_with_parent(options.parent_pid);
  if (done && options.cpu) done = pin_this_thread(*options.cpu);
  if (done && options.report_fd) done = keep_from_child(*options.report_fd);
  return done;
}

Result<LaunchReport> launch(const LaunchOptions& options) {
  std::vector<std::string> command = options.command;
  const std::vector<char*> arguments = argument_pointers(command);
  const sigset_t signals = watched_signals();
  LaunchChild child{.arguments = arguments.data()};
  sigprocmask(SIG_BLOCK, &signals, &child.signal_mask);
  keep_child_statuses();

  const std::int64_t started_ns = now_ns();
  Result<pid_t> pid = start(child);
  if (!pid) return pid.error();
  rusage usage{};
  const Result<int> status = wait_for(*pid, signals, usage);
  if (!status) return status.error();
  return make_launch_report(now_ns() - started_ns, *status, usage);
}

}  // namespace assay
