#include <assay/os/cli/launches.hpp>

#include <assay/os/cli/command.hpp>
#include <assay/system/child_process.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <numeric>
#include <string>
#include <vector>

namespace assay::os {
namespace {

// Simulated launches that take no time; the one at `fails_at` fails, a signal stops the one at
// `stopped_at`.
class Bench {
 public:
  Measured measure(const std::vector<std::string>& words) {
    const auto command = parse_command(words);
    EXPECT_TRUE(command) << command.error().line();
    if (!command) return {};
    return launches_for(
        *command, [this](const Effort& effort, int& ended_by) { return launch(effort, ended_by); });
  }

  std::size_t fails_at{1'000}, stopped_at{1'000};
  std::vector<std::int64_t> samples{};

 private:
  Launched launch(const Effort& effort, int& ended_by) {
    const std::size_t place = samples.size();
    samples.push_back(effort.samples);
    if (place == stopped_at) ended_by = 15;
    Launched launched;
    launched.per_call_ns.assign(static_cast<std::size_t>(effort.samples), 100.0);
    if (place == fails_at) launched.trouble = Error{"broken", "a launch"};
    return launched;
  }
};

using Samples = std::vector<std::int64_t>;

TEST(Launches, AreSixUnlessToldOtherwise) {
  Bench bench;
  const Measured measured = bench.measure({"nop"});
  EXPECT_EQ(measured.launches.size(), 6U);
  EXPECT_FALSE(measured.trouble);
  EXPECT_EQ(std::accumulate(bench.samples.begin(), bench.samples.end(), std::int64_t{0}), 100);
}

TEST(Launches, AreAsManyAsAskedForAndShareTheSamples) {
  Bench bench;
  EXPECT_EQ(bench.measure({"nop", "-C", "10", "--launches", "4"}).launches.size(), 4U);
  EXPECT_EQ(bench.samples, (Samples{3, 3, 2, 2}));
}

TEST(Launches, AreNoMoreThanTheSamples) {
  Bench bench;
  EXPECT_EQ(bench.measure({"nop", "-C", "2"}).launches.size(), 2U);
  EXPECT_EQ(bench.samples, (Samples{1, 1}));
}

TEST(Launches, EndAtOneThatFails) {
  Bench bench;
  bench.fails_at = 2;
  const Measured measured = bench.measure({"nop"});
  EXPECT_EQ(measured.launches.size(), 3U);
  ASSERT_TRUE(measured.trouble);
  EXPECT_EQ(measured.trouble->what, "broken");
}

TEST(Launches, EndAtASignal) {
  Bench bench;
  bench.stopped_at = 2;
  const Measured measured = bench.measure({"nop"});
  EXPECT_EQ(measured.launches.size(), 3U);
  EXPECT_EQ(measured.ended_by, 15);
}

TEST(StatusAtEnd, IsWhatTheChildExitedWith) {
  const SignalBlock signals({SIGINT, SIGCHLD});
  int ended_by = 0;
  const pid_t child = fork_tied();
  if (child == 0) _exit(3);
  const auto status = status_at_end(child, signals, ended_by);
  ASSERT_TRUE(status) << status.error().line();
  EXPECT_EQ(WEXITSTATUS(*status), 3);
  EXPECT_EQ(ended_by, 0);
}

TEST(StatusAtEnd, IsAnErrorWhereTheChildCannotBeWaitedFor) {
  const SignalBlock signals({SIGINT, SIGCHLD});
  int ended_by = 0;
  const pid_t child = fork_tied();
  if (child == 0) _exit(3);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);  // nobody can wait for it a second time
  const auto status = status_at_end(child, signals, ended_by);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().line(), "waitpid: No child processes");
}

}  // namespace
}  // namespace assay::os
