// assay-launch --serve as Assay uses it: requests by a socket, answers of one line.
#include <assay/measure/launch/launch_server.hpp>

#include <assay/system/file_descriptor.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace assay {
namespace {

// Descriptors of the child, higher than any that the test opens. When they were lower, dup2 onto
// the number that the pid file itself had closed that file, and the test never saw a program's pid.
constexpr int socket_fd = 108;
constexpr int pid_fd = 109;

[[noreturn]] void exec_launcher(int socket, int pid_file) {
  dup2(socket, socket_fd);
  dup2(pid_file, pid_fd);
  execl(ASSAY_LAUNCHER, ASSAY_LAUNCHER, "--serve", "108", "--pid-fd", "109", nullptr);
  _exit(99);
}

class Server {
 public:
  Server() {
    std::array<int, 2> ends{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    socket_ = FileDescriptor(ends[0]);
    FileDescriptor theirs(ends[1]);
    pid_file_ = FileDescriptor(temporary());
    pid_ = fork();
    if (pid_ == 0) exec_launcher(theirs.number(), pid_file_.number());
    theirs = FileDescriptor();
    greeting_ = line();
  }
  ~Server() {
    if (pid_ > 0) end();
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Closes the socket, waits for the server, and gives its exit code, or 1000 + its signal.
  int end() {
    socket_ = FileDescriptor();
    int status = 0;
    waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

  [[nodiscard]] std::string line() const {
    std::string text;
    for (char letter = 0; letter != '\n' && recv(socket_.number(), &letter, 1, 0) == 1;) {
      text += letter;
    }
    return text;
  }

  void request(const std::string& cpu, const std::vector<std::string>& words) const {
    std::string text = cpu + '\0' + std::to_string(words.size()) + '\0';
    for (const std::string& word : words) text += word + '\0';
    text += std::string("PATH=/usr/bin:/bin") + '\0';
    send_text(text);
  }

  void send_text(const std::string& text) const {
    auto length = static_cast<std::uint32_t>(text.size());
    const std::array<int, 3> files{STDOUT_FILENO, STDERR_FILENO, folder_.number()};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof files)> control{};
    iovec part{&length, sizeof length};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof files);
    std::memcpy(CMSG_DATA(head), files.data(), sizeof files);
    EXPECT_EQ(sendmsg(socket_.number(), &message, 0), 4);
    EXPECT_EQ(send(socket_.number(), text.data(), text.size(), 0),
              static_cast<ssize_t>(text.size()));
  }

  std::string run(const std::vector<std::string>& words, const std::string& cpu = "") const {
    request(cpu, words);
    return line();
  }

  // The running program's pid from the pid file, for which it waits up to 10 s; -1 if there is
  // none.
  [[nodiscard]] pid_t program() const {
    for (int i = 0; i < 2000; ++i) {
      std::int32_t pid = 0;
      if (pread(pid_file_.number(), &pid, sizeof pid, 0) == sizeof pid && pid != 0) return pid;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return -1;
  }

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] const std::string& greeting() const { return greeting_; }

 private:
  static int temporary() {
    std::string name = testing::TempDir() + "assay_pid_XXXXXX";
    const int file = mkstemp(name.data());
    unlink(name.c_str());
    return file;
  }

  FileDescriptor socket_{};
  FileDescriptor pid_file_{};
  FileDescriptor folder_{open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  pid_t pid_{-1};
  std::string greeting_{};
};

// How many processes have exactly this command line.
int running(const std::string& words) {
  FILE* const pipe = popen(("pgrep -xfc '" + words + "'").c_str(), "r");
  std::array<char, 32> text{};
  const std::size_t got = fread(text.data(), 1, text.size() - 1, pipe);
  pclose(pipe);
  return got == 0 ? -1 : std::atoi(text.data());
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

long long number_of(const std::string& report, const std::string& key) {
  const auto at = report.find("\"" + key + "\":");
  return at == std::string::npos ? -1 : std::atoll(report.c_str() + at + key.size() + 3);
}

TEST(LaunchServer, AnswersEachRequestWithAReport) {
  const Server server;
  EXPECT_EQ(server.greeting(), launch_greeting);
  EXPECT_TRUE(has(server.run({"true"}), "\"exit\":0,\"signal\":null}\n"));
  EXPECT_EQ(number_of(server.run({"sh", "-c", "exit 42"}), "exit"), 42);
  EXPECT_EQ(number_of(server.run({"sh", "-c", "kill -SEGV $$"}), "signal"), SIGSEGV);
  EXPECT_GE(number_of(server.run({"sleep", "0.05"}), "wall_ns"), 50'000'000);
}

TEST(LaunchServer, EndsWithTheSocket) {
  Server server;
  EXPECT_EQ(server.end(), 0);
}

TEST(LaunchServer, EndsAtASignalBetweenTwoLaunches) {
  Server server;
  kill(server.pid(), SIGTERM);
  EXPECT_EQ(server.line(), "");
  EXPECT_EQ(server.end(), 0);
}

TEST(LaunchServer, KillsWhatRunsWhenTheSocketCloses) {
  Server server;
  server.request("", {"sh", "-c", "trap '' TERM; sleep 600"});
  const pid_t program = server.program();
  ASSERT_GT(program, 0) << server.line();  // the report says how the program ended
  server.end();
  EXPECT_NE(kill(program, 0), 0);  // the server has reaped it
}

TEST(LaunchServer, SaysWhyAProgramCannotBeRunAndGoesOn) {
  const Server server;
  EXPECT_TRUE(has(server.run({"/no/such/program"}), "\"error\":\"/no/such/program: "));
  EXPECT_TRUE(has(server.run({"true"}, "100000"), "\"error\":\"CPU 100000: "));
  server.send_text("rubbish");
  EXPECT_TRUE(has(server.line(), "\"error\":\"request: is cut short"));
  EXPECT_EQ(number_of(server.run({"true"}), "exit"), 0);
}

TEST(LaunchServer, PinsOneLaunchAndNotTheNext) {
  const Server server;
  const std::string pinned = "grep -q '^Cpus_allowed_list:.0$' /proc/self/status";
  const std::string free = "test $(nproc) = " + std::to_string(std::thread::hardware_concurrency());
  EXPECT_EQ(number_of(server.run({"sh", "-c", pinned}, "0"), "exit"), 0);
  EXPECT_EQ(number_of(server.run({"sh", "-c", free}), "exit"), 0);
}

TEST(LaunchServer, ItsOwnSizeIsNoFloorUnderTheProgramsPeak) {
  const Server server;
  const std::string first = server.run({"true"});
  for (int i = 0; i < 100; ++i) server.run({"true"});
  const long long last = number_of(server.run({"true"}), "max_rss_bytes");
  EXPECT_GT(last, 100'000);
  EXPECT_LT(last, ASSAY_LAUNCHER_RSS_LIMIT);
  EXPECT_LT(last, number_of(first, "max_rss_bytes") + ASSAY_LAUNCHER_GROWTH_LIMIT);
}

TEST(LaunchServer, LeavesTheProgramSignalsAndFilesAsItFoundThem) {
  const Server server;
  const std::string status = "/proc/self/status";
  EXPECT_EQ(number_of(server.run({"grep", "-q", "^SigBlk:.0*$", status}), "exit"), 0);
  EXPECT_EQ(number_of(server.run({"grep", "-q", "^SigIgn:.*[02468ace]...$", status}), "exit"), 0);
  const std::string kept = "test ! -e /proc/$$/fd/8 && test ! -e /proc/$$/fd/9";
  EXPECT_EQ(number_of(server.run({"sh", "-c", kept}), "exit"), 0);
}

TEST(LaunchServer, DaemonsInSessionsOfTheirOwnAreEndedAndCounted) {
  const Server server;
  const std::string daemons =
      "for i in 1 2 3; do setsid sh -c 'setsid sleep 7654 & sleep 7654; :' & done; "
      "until test $(pgrep -xfc 'sleep 7654') = 6; do sleep 0.01; done";
  EXPECT_EQ(number_of(server.run({"sh", "-c", daemons}), "left_behind"), 9);
  EXPECT_EQ(running("sleep 7654"), 0);
  EXPECT_EQ(number_of(server.run({"true"}), "left_behind"), -1) << "the next launch left none";
}

TEST(LaunchServer, ChildrenThatEndedByThemselvesWereNotLeftBehind) {
  const Server server;
  // Only the launcher can reap the daemon: the shell loops until the daemon is gone or a zombie.
  const std::string ended =
      "pid=$(setsid sh -c 'true > /dev/null & echo $!'); "
      "while grep -qs ') [^Z]' /proc/$pid/stat; do :; done";
  EXPECT_EQ(number_of(server.run({"sh", "-c", ended}), "left_behind"), -1);
}

TEST(LaunchServer, TheProgramLeadsASessionOfItsOwnInTheFolderItWasGiven) {
  const Server server;
  const std::string leads =
      "read pid name state parent group session rest < /proc/self/stat; "
      "test $session = $$ && test $group = $$ && test \"$(pwd)\" = /";
  EXPECT_EQ(number_of(server.run({"sh", "-c", leads}), "exit"), 0);
}

}  // namespace
}  // namespace assay
