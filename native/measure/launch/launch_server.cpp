#include <assay/measure/launch/launch_server.hpp>

#include <assay/measure/launch/descendants.hpp>
#include <assay/measure/launch/launch_child.hpp>
#include <assay/measure/launch/launch_report.hpp>
#include <assay/measure/launch/launch_request.hpp>
#include <assay/measure/launch/output_limit.hpp>
#include <assay/system/child_process.hpp>
#include <assay/system/clock.hpp>
#include <assay/system/cpu_set.hpp>
#include <assay/system/file_descriptor.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

namespace assay {
namespace {

constexpr int own_failure = 125;  // as env and timeout exit when they fail themselves
constexpr std::uint32_t longest_request = 64U << 20U;  // far more than exec accepts

using Files = std::array<int, 3>;  // standard output, standard error, working directory

// Receives a request's length and the descriptors sent with it; nothing at the end of the stream.
std::optional<std::uint32_t> receive_head(int socket, std::array<FileDescriptor, 3>& files) {
  std::uint32_t length = 0;
  iovec part{&length, sizeof length};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(Files))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t got = recvmsg(socket, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC);
  const cmsghdr* const sent = CMSG_FIRSTHDR(&message);
  if (got != sizeof length || sent == nullptr || sent->cmsg_type != SCM_RIGHTS) return {};
  Files numbers{-1, -1, -1};
  if (sent->cmsg_len == CMSG_LEN(sizeof numbers)) {
    std::memcpy(numbers.data(), CMSG_DATA(sent), sizeof numbers);
  }
  for (std::size_t i = 0; i < files.size(); ++i) files[i] = FileDescriptor(numbers[i]);
  return length;
}

bool receive(int socket, std::vector<char>& text) {
  return recv(socket, text.data(), text.size(), MSG_WAITALL) == static_cast<ssize_t>(text.size());
}

bool send_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

// The CPUs this process was given, and the one it is pinned to for a launch.
class Affinity {
 public:
  Status set(std::optional<int> cpu) {
    if (cpu == current_) return {};
    if (!cpu && !given_) return given_.error();
    Status done = cpu ? pin_this_thread(*cpu) : let_this_thread_run_on(*given_);
    if (done) current_ = cpu;
    return done;
  }

 private:
  Result<CpuSet> given_{CpuSet::allowed()};
  std::optional<int> current_{};
};

class LaunchServer {
 public:
  LaunchServer(int socket, int pid_file);

  [[nodiscard]] bool ready() const { return static_cast<bool>(signals_); }
  // Answers one request; false when there will be no more.
  bool serve_one();

 private:
  Result<LaunchReport> launch(const LaunchRequest& request);
  [[nodiscard]] bool await_request() const;
  void await_end(pid_t pid);
  void limit_output() const;
  [[nodiscard]] bool told_to_stop(short socket_events, short signal_events) const;
  void store_pid(pid_t pid) const;

  int socket_;
  int pid_file_;
  sigset_t found_mask_{};
  FileDescriptor signals_{};
  Affinity affinity_{};
  std::array<FileDescriptor, 3> files_{};
  std::vector<char> text_{};
};

LaunchServer::LaunchServer(int socket, int pid_file) : socket_(socket), pid_file_(pid_file) {
  sigset_t watched;
  sigemptyset(&watched);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) sigaddset(&watched, signal);
  sigprocmask(SIG_BLOCK, &watched, &found_mask_);
  keep_child_statuses();
  signals_ = FileDescriptor(signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
}

bool LaunchServer::serve_one() {
  if (!await_request()) return false;
  const auto length = receive_head(socket_, files_);
  if (!length || *length > longest_request) return false;
  text_.resize(*length);
  if (!receive(socket_, text_)) return false;
  const auto request = parse_launch_request(text_);
  const auto report = request ? launch(*request) : request.error();
  files_ = {};
  return send_all(socket_, report ? to_json(*report) : to_json(report.error()));
}

Result<LaunchReport> LaunchServer::launch(const LaunchRequest& request) {
  const Status pinned = affinity_.set(request.cpu);
  if (!pinned) return pinned.error();
  LaunchChild child{.arguments = request.arguments.data(),
                    .environment = request.environment.data(),
                    .signal_mask = found_mask_,
                    .output = files_[0].number(),
                    .errors = files_[1].number(),
                    .folder = files_[2].number(),
                    .own_session = true};
  const std::int64_t started_ns = now_ns();
  const Result<pid_t> pid = start(child);
  if (!pid) return pid.error();
  store_pid(*pid);
  await_end(*pid);
  kill(-*pid, SIGKILL);  // kills the group: wait4 has not yet freed the pid for reuse
  int status = 0;
  rusage usage{};
  const bool is_known = wait4(*pid, &status, 0, &usage) == *pid;
  const int code = errno;
  const std::int64_t wall_ns = now_ns() - started_ns;
  store_pid(0);
  if (!is_known) return system_error("wait4", code, "how the program ended is not known");
  LaunchReport report = make_launch_report(wall_ns, status, usage);
  report.left_behind = end_descendants();
  limit_output();
  return report;
}

// Waits for a request; false when SIGTERM, SIGINT or SIGHUP asks the server to end. A SIGCHLD of
// the launch before may still be pending and is ignored.
bool LaunchServer::await_request() const {
  std::array<pollfd, 2> watched{{{socket_, POLLIN, 0}, {signals_.number(), POLLIN, 0}}};
  do {
    if (poll(watched.data(), watched.size(), -1) < 0) return false;
    if (told_to_stop(0, watched[1].revents)) return false;
  } while (watched[0].revents == 0);
  return true;
}

// Waits until the program is a zombie, not yet reaped. Two SIGCHLD may merge into one, so it asks
// the kernel each time.
void LaunchServer::await_end(pid_t pid) {
  std::array<pollfd, 2> watched{{{socket_, POLLIN, 0}, {signals_.number(), POLLIN, 0}}};
  for (;;) {
    siginfo_t ended{};
    if (waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT) != 0) return;
    if (ended.si_pid == pid) return;
    reap_adopted(pid);
    if (poll(watched.data(), watched.size(), output_look_ms) <= 0) {
      limit_output();
      continue;
    }
    if (told_to_stop(watched[0].revents, watched[1].revents)) kill(-pid, SIGKILL);
    if (watched[0].revents != 0) watched[0].fd = -1;  // closed: it would stay readable
  }
}

void LaunchServer::limit_output() const {
  drop_all_but_the_end(files_[0].number());
  drop_all_but_the_end(files_[1].number());
}

// Whether to kill the program: a signal other than SIGCHLD came, or there was an event on the
// socket, which during a launch means that the other end closed it.
bool LaunchServer::told_to_stop(short socket_events, short signal_events) const {
  bool stop = socket_events != 0;
  signalfd_siginfo signal{};
  while (signal_events != 0 && read(signals_.number(), &signal, sizeof signal) == sizeof signal) {
    stop |= signal.ssi_signo != SIGCHLD;
  }
  return stop;
}

void LaunchServer::store_pid(pid_t pid) const {
  const auto number = static_cast<std::int32_t>(pid);
  // If this write fails, the launch goes on: others cannot find the program to ask it to end, but
  // closing the socket still kills it.
  [[maybe_unused]] const ssize_t written = pwrite(pid_file_, &number, sizeof number, 0);
}

bool keep_from_children(int descriptor) {
  return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0;
}

}  // namespace

int serve_launches(int socket, int pid_file) {
  adopt_descendants();
  LaunchServer server(socket, pid_file);
  if (!server.ready() || !keep_from_children(socket) || !keep_from_children(pid_file)) {
    return own_failure;
  }
  if (!send_all(socket, launch_greeting)) return own_failure;
  while (server.serve_one()) {
  }
  return 0;
}

}  // namespace assay
