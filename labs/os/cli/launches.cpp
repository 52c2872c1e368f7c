#include <assay/os/cli/launches.hpp>

#include <assay/os/harness/plan_text.hpp>
#include <assay/system/child_process.hpp>
#include <assay/system/cpu_set.hpp>
#include <assay/system/file_descriptor.hpp>
#include <assay/system/signal_block.hpp>
#include <assay/system/text_file.hpp>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

namespace assay::os {
namespace {

constexpr double ns_per_second = 1e9;
constexpr std::int64_t sample_ns = 200'000;  // intended length of a sample; long calls exceed it

Result<std::vector<int>> cpus_for(const Command& command) {
  if (command.pin == "none") return std::vector<int>{};
  const Result<CpuSet> allowed = CpuSet::allowed();
  if (!allowed) return allowed.error();
  if (command.pin == "each") return allowed->last_first();
  int cpu = 0;
  const char* const end = command.pin.data() + command.pin.size();
  const auto [stopped, code] = std::from_chars(command.pin.data(), end, cpu);
  if (code != std::errc{} || stopped != end || !allowed->has(cpu)) {
    return Error{"not a CPU this process may run on", "--pin " + command.pin,
                 "each, none or a number"};
  }
  return std::vector<int>{cpu};
}

// ---- one launch: a child, and a descriptor with its plan and then its outcome -------------

// Executes assay-os-launch in the child. PR_SET_PDEATHSIG stays in force across execv(), so the
// child dies with this process.
[[noreturn]] void become_launch(const std::string& program, int descriptor,
                                const SignalBlock& signals) {
  sigprocmask(SIG_SETMASK, &signals.before(), nullptr);
  std::string number = std::to_string(descriptor);
  std::string name = program;
  const std::array<char*, 3> arguments{name.data(), number.data(), nullptr};
  execv(program.c_str(), arguments.data());
  _exit(127);
}

Error launch_ended(int status, const std::string& program) {
  if (WIFSIGNALED(status))
    return {"ended by signal " + std::to_string(WTERMSIG(status)), "assay-os-launch"};
  if (WEXITSTATUS(status) == 127)
    return {"cannot be started", program, "is assay installed whole?"};
  return {"exited with code " + std::to_string(WEXITSTATUS(status)), "assay-os-launch"};
}

Launched in_trouble(Error error) {
  Launched launched;
  launched.trouble = std::move(error);
  return launched;
}

Launched one_launch(const LaunchPlan& plan, const std::string& program, const SignalBlock& signals,
                    int& ended_by) {
  const FileDescriptor shared(memfd_create("assay-os", 0));
  const std::string text = text_of(plan);
  if (!shared ||
      pwrite(shared.number(), text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) {
    return in_trouble(failed("memfd_create"));
  }
  const pid_t pid = fork_tied();
  if (pid < 0) return in_trouble(failed("fork"));
  if (pid == 0) become_launch(program, shared.number(), signals);
  const auto status = status_at_end(pid, signals, ended_by);
  if (!status) return in_trouble(status.error());
  if (*status != 0) return in_trouble(launch_ended(*status, program));
  auto launched = launched_from(read_all(shared.number()));
  if (!launched) return in_trouble(launched.error());
  return std::move(launched).value();
}

}  // namespace

std::vector<Effort> shares_of(const Command& command) {
  const std::int64_t launches = std::min(command.launches, command.samples);
  std::vector<Effort> shares;
  for (std::int64_t i = 0; i < launches; ++i) {
    Effort effort;
    effort.samples = command.samples / launches + (i < command.samples % launches ? 1 : 0);
    effort.longest_ns = static_cast<std::int64_t>(command.longest_s * ns_per_second /
                                                  static_cast<double>(launches));
    effort.batch = command.batch;
    effort.sample_ns = sample_ns;
    effort.timeout_ns += effort.longest_ns;
    effort.align = on(command.align);
    shares.push_back(effort);
  }
  return shares;
}

Measured measure(const Command& command, const Scratch& scratch, const std::string& libexec) {
  Measured measured;
  const auto cpus = cpus_for(command);
  LaunchPlan plan{.what = &command.what, .setting = command.setting};
  plan.setting.memory_folder = scratch.memory_folder();
  plan.setting.disk_folder = scratch.disk_folder();
  plan.setting.libexec = libexec;
  const auto resolved = plan.setting.replace_tokens(
      [&scratch](const std::string& token) { return scratch.resolve(token); });
  if (!cpus) measured.trouble = cpus.error();
  if (!resolved) measured.trouble = resolved.error();
  if (measured.trouble) return measured;
  plan.cpus = *cpus;
  plan.in_this_process = on(command.one_process);

  // Blocked, so that a signal does not end this process before its folders are removed.
  const SignalBlock signals({SIGINT, SIGTERM, SIGHUP, SIGCHLD});
  const std::string program = libexec + "/assay-os-launch";
  const auto launch = [&](const Effort& effort, int& ended_by) {
    plan.effort = effort;
    return one_launch(plan, program, signals, ended_by);
  };
  return launches_for(command, launch);
}

Result<int> status_at_end(pid_t pid, const SignalBlock& signals, int& ended_by) {
  while (true) {
    int status = 0;
    const pid_t ended = waitpid(pid, &status, WNOHANG);
    if (ended == pid) return status;
    // No status came, so it is not known how the child ended: that must not pass for success.
    if (ended < 0 && errno != EINTR) return failed("waitpid");
    if (ended < 0) continue;
    const auto signal = signals.wait();
    if (!signal || *signal == SIGCHLD) continue;
    ended_by = *signal;
    kill(pid, SIGKILL);
  }
}

Measured launches_for(const Command& command, const Launcher& launch) {
  Measured measured;
  for (const Effort& effort : shares_of(command)) {
    measured.launches.push_back(launch(effort, measured.ended_by));
    measured.trouble = measured.launches.back().trouble;
    if (measured.trouble || measured.ended_by != 0) break;
  }
  return measured;
}

}  // namespace assay::os
