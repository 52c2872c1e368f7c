#include <assay/system/worker_team.hpp>

#include <assay/system/child_process.hpp>
#include <assay/system/clock.hpp>
#include <assay/system/shared_pages.hpp>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace assay {
namespace {

// A text in shared memory. TeamState::complain() writes it at most once, for the team's first
// error.
class SharedText {
 public:
  void write(const std::string& text) {
    const std::size_t length = std::min(text.size(), letters_.size() - 1);
    std::memcpy(letters_.data(), text.data(), length);
    letters_[length] = '\0';
  }
  [[nodiscard]] std::string text() const { return letters_.data(); }

 private:
  std::array<char, 400> letters_{};
};

struct TeamState {
  explicit TeamState(const TeamShape& shape)
      : barrier(static_cast<std::uint32_t>(shape.members())) {}

  WorkerBarrier barrier;
  std::atomic<bool> in_trouble{false};
  std::atomic<bool> told{false};
  SharedText what, where, hint;
  int errno_value{0};

  void complain(const Error& error) {
    if (!in_trouble.exchange(true)) {
      what.write(error.what);
      where.write(error.where);
      hint.write(error.hint);
      errno_value = error.errno_value;
      told = true;
    }
    barrier.abandon();
  }
  [[nodiscard]] Status status() const {
    if (!told) return {};
    return Error{what.text(), where.text(), hint.text(), errno_value};
  }
};

void work_as(const WorkerId& worker, const TeamWork& work, TeamState& state) {
  if (const Status done = work(worker, state.barrier); !done) state.complain(done.error());
}

WorkerId worker_of(const TeamShape& shape, int process, int thread) {
  return {.process = process,
          .thread = thread,
          .index = process * shape.threads + thread,
          .workers = shape.members()};
}

void one_process(const TeamShape& shape, int process, const TeamWork& work, TeamState& state) {
  std::vector<std::thread> others;
  try {
    for (int thread = 1; thread < shape.threads; ++thread) {
      others.emplace_back([&, thread] { work_as(worker_of(shape, process, thread), work, state); });
    }
  } catch (const std::system_error& error) {
    state.complain({"cannot start thread " + std::to_string(others.size() + 1), "team",
                    "fewer threads, or a higher limit (ulimit -u)", error.code().value()});
  }
  work_as(worker_of(shape, process, 0), work, state);
  for (std::thread& other : others) other.join();
}

pid_t fork_workers(const TeamShape& shape, int process, const TeamWork& work, TeamState& state) {
  const pid_t pid = fork_tied();
  if (pid != 0) return pid;
  one_process(shape, process, work, state);
  _exit(0);
}

std::string process_end_text(int process, int status) {
  const std::string name = "worker process " + std::to_string(process);
  if (WIFSIGNALED(status)) return name + " was ended by signal " + std::to_string(WTERMSIG(status));
  return name + " exited with code " + std::to_string(WEXITSTATUS(status));
}

// Waits for the processes of a team until all have ended, and kills them at the limit.
class ProcessReaper {
 public:
  ProcessReaper(TeamState& state, const TeamLimit& limit) : state_(state), limit_(limit) {}

  void add(pid_t pid) { pids_.push_back(pid); }

  void until_all_ended() {
    const std::int64_t began_ns = now_ns();
    std::int64_t nap_ms = 0;
    while (left() > 0) {
      if (!reap()) {
        enforce_limit(now_ns() - began_ns);
        poll(nullptr, 0, static_cast<int>(nap_ms));
        nap_ms = std::min<std::int64_t>(nap_ms + 1, 5);
      }
    }
  }

 private:
  [[nodiscard]] std::ptrdiff_t left() const {
    return std::count_if(pids_.begin(), pids_.end(), [](pid_t pid) { return pid > 0; });
  }

  // Reaps one ended process, if there is one, and says whether there was. Only the team's pids are
  // waited for: the caller may have other children.
  bool reap() {
    for (std::size_t i = 0; i < pids_.size(); ++i) {
      int status = 0;
      if (pids_[i] <= 0 || waitpid(pids_[i], &status, WNOHANG) != pids_[i]) continue;
      pids_[i] = -1;
      if (status != 0) state_.complain({process_end_text(static_cast<int>(i), status), "team"});
      return true;
    }
    return false;
  }

  void enforce_limit(std::int64_t elapsed_ns) {
    if (limit_.longest_ns > 0 && elapsed_ns > limit_.longest_ns) {
      state_.complain(
          {"did not end within " + std::to_string(limit_.longest_ns / 1'000'000) + " ms", "team",
           "a worker hangs, or the time is too short for so many"});
    }
    if (!state_.barrier.abandoned()) return;
    const std::int64_t now = now_ns();
    if (abandoned_at_ns_ == 0) abandoned_at_ns_ = now;
    if (now - abandoned_at_ns_ < limit_.grace_ns) return;
    for (const pid_t pid : pids_) {
      if (pid > 0) kill(pid, SIGKILL);
    }
  }

  TeamState& state_;
  TeamLimit limit_;
  std::vector<pid_t> pids_;
  std::int64_t abandoned_at_ns_{0};
};

}  // namespace

Status run_team(const TeamShape& shape, const TeamLimit& limit, const TeamWork& work) {
  if (shape.processes < 1 || shape.threads < 1) {
    return Error{"a team needs at least one process and one thread", "team"};
  }
  const auto shared = Shared<TeamState>::make(shape);
  if (!shared) return shared.error();
  TeamState& state = **shared;
  if (shape.in_this_process) {
    one_process(shape, 0, work, state);
    return state.status();
  }
  ProcessReaper reaper(state, limit);
  for (int process = 0; process < shape.processes; ++process) {
    const pid_t pid = fork_workers(shape, process, work, state);
    if (pid < 0) {
      state.complain({"cannot fork worker " + std::to_string(process) + ": " + std::strerror(errno),
                      "team", "fewer processes, or a higher limit (ulimit -u)", errno});
      break;
    }
    reaper.add(pid);
  }
  reaper.until_all_ended();
  return state.status();
}

}  // namespace assay
