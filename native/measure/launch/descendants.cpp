#include <assay/measure/launch/descendants.hpp>

#include <assay/system/clock.hpp>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace assay {
namespace {

constexpr std::int64_t given_up_after_ns = 2'000'000'000;
constexpr int pause_ms = 1;

pid_t number_in(std::string_view text) {
  pid_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The parent of a process, from /proc/PID/stat; 0 when it cannot be read. The program's name, in
// brackets, may hold any character, so the text is parsed from the last closing bracket on.
pid_t parent_of(pid_t pid) {
  std::array<char, 32> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/stat", pid);
  const int file = open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 512> text{};
  const ssize_t got = read(file, text.data(), text.size());
  close(file);
  const std::string_view stat(text.data(), got < 0 ? 0 : static_cast<std::size_t>(got));
  const auto end = stat.rfind(')');
  if (end == std::string_view::npos || end + 4 >= stat.size()) return 0;
  return number_in(stat.substr(end + 4));  // ") S 123 ..."
}

// Kills this process's children. It scans all of /proc, so it is called only when there is a child
// to kill.
void kill_children() {
  DIR* const processes = opendir("/proc");
  if (processes == nullptr) return;
  while (const dirent* entry = readdir(processes)) {
    const pid_t pid = number_in(entry->d_name);
    if (pid > 0 && parent_of(pid) == getpid()) kill(pid, SIGKILL);
  }
  closedir(processes);
}

}  // namespace

bool adopt_descendants() {
  return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0;
}

void reap_adopted(pid_t program) {
  for (;;) {
    siginfo_t ended{};
    if (waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return;
    if (ended.si_pid == 0 || ended.si_pid == program) return;
    waitpid(ended.si_pid, nullptr, WNOHANG);
  }
}

int end_descendants() {
  int ended = 0;
  const std::int64_t began_ns = now_ns();
  do {
    int status = 0;
    pid_t pid = 0;
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
      if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) ++ended;
    }
    if (pid < 0) return ended;
    kill_children();
    poll(nullptr, 0, pause_ms);
  } while (now_ns() - began_ns < given_up_after_ns);
  return ended;
}

}  // namespace assay
