// assay-launch as its users run it: a process, its exit code and its report.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace assay {
namespace {

struct Launched {
  pid_t pid{-1};
  int report{-1};  // read end of the report's pipe
};

struct Outcome {
  int exit_code{-1};
  std::string report{};

  [[nodiscard]] long long number(const std::string& key) const {
    const auto at = report.find("\"" + key + "\":");
    return at == std::string::npos ? -1 : std::atoll(report.c_str() + at + key.size() + 3);
  }
  [[nodiscard]] bool says(const std::string& text) const {
    return report.find(text) != std::string::npos;
  }
};

constexpr int report_fd = 9;

void exec_launcher(std::vector<std::string> words) {
  words.insert(words.begin(), {ASSAY_LAUNCHER, "--report-fd", std::to_string(report_fd)});
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(99);
}

Launched start(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    close(ends[0]);
    dup2(ends[1], report_fd);
    close(ends[1]);
    exec_launcher(words);
  }
  close(ends[1]);
  return {pid, ends[0]};
}

Outcome finish(const Launched& launched) {
  Outcome outcome;
  std::array<char, 4096> buffer{};
  for (ssize_t n = 0; (n = read(launched.report, buffer.data(), buffer.size())) > 0;) {
    outcome.report.append(buffer.data(), static_cast<std::size_t>(n));
  }
  close(launched.report);
  int status = 0;
  waitpid(launched.pid, &status, 0);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  return outcome;
}

Outcome run(const std::vector<std::string>& words) {
  return finish(start(words));
}

void sleep_ms(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

/// Whether the process does not exist any more, or is a zombie that nobody has reaped yet.
bool is_gone(pid_t pid) {
  for (int i = 0; i < 200; ++i) {
    if (kill(pid, 0) != 0 && errno == ESRCH) return true;
    const std::string check = "grep -q '^State:.Z' /proc/" + std::to_string(pid) + "/status";
    if (std::system(check.c_str()) == 0) return true;
    sleep_ms(10);
  }
  return false;
}

TEST(Launch, MeasuresAProgramThatEnds) {
  const Outcome outcome = run({"--", "sleep", "0.05"});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_GE(outcome.number("wall_ns"), 50'000'000);
  EXPECT_LT(outcome.number("wall_ns"), 5'000'000'000);
  EXPECT_TRUE(outcome.says("\"exit\":0,\"signal\":null}\n"));
  EXPECT_EQ(std::count(outcome.report.begin(), outcome.report.end(), '\n'), 1);
}

TEST(Launch, PassesTheExitCodeOn) {
  const Outcome outcome = run({"--", "sh", "-c", "exit 42"});
  EXPECT_EQ(outcome.exit_code, 42);
  EXPECT_EQ(outcome.number("exit"), 42);
}

TEST(Launch, TellsWhichSignalEndedTheProgram) {
  const Outcome outcome = run({"--", "sh", "-c", "kill -SEGV $$"});
  EXPECT_EQ(outcome.exit_code, 128 + SIGSEGV);
  EXPECT_TRUE(outcome.says("\"exit\":null,\"signal\":11}"));
}

TEST(Launch, SaysWhyAProgramCannotBeRun) {
  const Outcome outcome = run({"--", "/no/such/program"});
  EXPECT_EQ(outcome.exit_code, 127);
  EXPECT_TRUE(outcome.says("\"error\":\"/no/such/program: "));
  EXPECT_EQ(outcome.number("errno"), ENOENT);
  EXPECT_EQ(run({"--", "/"}).number("errno"), EACCES);
}

TEST(Launch, SaysWhyItCannotPin) {
  const Outcome outcome = run({"--cpu", "100000", "--", "true"});
  EXPECT_EQ(outcome.exit_code, 125);
  EXPECT_TRUE(outcome.says("\"error\":\"CPU 100000: "));
}

TEST(Launch, PinsTheProgram) {
  const Outcome outcome =
      run({"--cpu", "0", "--", "sh", "-c", "grep -q '^Cpus_allowed_list:.0$' /proc/self/status"});
  EXPECT_EQ(outcome.exit_code, 0);
}

TEST(Launch, CountsCpuTimeAndFaults) {
  const Outcome outcome =
      run({"--", "sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done"});
  EXPECT_GT(outcome.number("user_ns") + outcome.number("system_ns"), 0);
  EXPECT_GT(outcome.number("minor_faults"), 0);
  EXPECT_GE(outcome.number("voluntary_switches"), 0);
}

TEST(Launch, ItsOwnSizeIsNoFloorUnderTheProgramsPeak) {
  // 100 MB in this process, the launcher's parent.
  std::vector<char> large(std::size_t{100} << 20U, 'x');
  asm volatile("" : : "r"(large.data()) : "memory");
  const Outcome outcome = run({"--", "true"});
  EXPECT_GT(outcome.number("max_rss_bytes"), 100'000);
  EXPECT_LT(outcome.number("max_rss_bytes"), ASSAY_LAUNCHER_RSS_LIMIT);
}

TEST(Launch, KeepsTheReportFromTheProgram) {
  const std::string its_own = "/proc/$$/fd/" + std::to_string(report_fd);
  EXPECT_EQ(run({"--", "sh", "-c", "test ! -e " + its_own}).exit_code, 0);
}

TEST(Launch, LeavesSignalsToTheProgramAsItFoundThem) {
  // The program inherits no blocked signal and no ignored SIGPIPE. It is not run by sh, which
  // clears its signal mask.
  const std::string status = "/proc/self/status";
  EXPECT_EQ(run({"--", "grep", "-q", "^SigBlk:.0*$", status}).exit_code, 0);
  EXPECT_EQ(run({"--", "grep", "-q", "^SigIgn:.*[02468ace]...$", status}).exit_code, 0);
}

TEST(Launch, KillsTheProgramWhenToldToStop) {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    const Launched launched = start({"--", "sleep", "60"});
    sleep_ms(100);
    kill(launched.pid, signal);
    const Outcome outcome = finish(launched);
    EXPECT_EQ(outcome.exit_code, 128 + SIGKILL);
    EXPECT_EQ(outcome.number("signal"), SIGKILL);
  }
}

pid_t pid_from(int descriptor) {
  std::array<char, 32> buffer{};
  const ssize_t length = read(descriptor, buffer.data(), buffer.size() - 1);
  return length > 0 ? std::atoi(buffer.data()) : -1;
}

TEST(Launch, TheProgramDoesNotOutliveAKilledLauncher) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const std::string script = "echo $$ >&" + std::to_string(ends[1]) + "; exec sleep 60";
  const Launched launched = start({"--", "sh", "-c", script});
  const pid_t program = pid_from(ends[0]);
  ASSERT_GT(program, 0);
  kill(launched.pid, SIGKILL);
  EXPECT_EQ(finish(launched).exit_code, 1000 + SIGKILL);
  EXPECT_TRUE(is_gone(program));
}

TEST(Launch, NothingOutlivesAKilledParent) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    const std::string script = "echo $$ >&" + std::to_string(ends[1]) + "; exec sleep 60";
    start({"--parent", std::to_string(getpid()), "--", "sh", "-c", script});
    for (;;) pause();
  }
  const pid_t program = pid_from(ends[0]);
  ASSERT_GT(program, 0);
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  EXPECT_TRUE(is_gone(program));
}

TEST(Launch, RefusesAParentThatIsNotItsOwn) {
  EXPECT_EQ(run({"--parent", "1000000", "--", "true"}).exit_code, 125);
}

}  // namespace
}  // namespace assay
