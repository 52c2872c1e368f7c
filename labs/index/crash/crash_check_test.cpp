// The whole program: with stores that keep their promise, with stores that do not, on bad input,
// and when interrupted.
#include <assay/testing/temporary_folder.hpp>

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <sstream>
#include <thread>

namespace assay::index::crash {
namespace {

struct Ran {
  int exit_code{-1};
  std::string said{};
};

Ran run(const std::string& arguments) {
  FILE* const pipe = popen((ASSAY_CRASH " " + arguments + " 2>&1").c_str(), "re");
  Ran ran;
  std::array<char, 4096> piece{};
  while (std::fgets(piece.data(), piece.size(), pipe) != nullptr) ran.said += piece.data();
  const int status = pclose(pipe);
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

std::string fixture(const std::string& name) {
  return std::string(ASSAY_FIXTURE_DIR) + "/plugins/" + name + ".so";
}

bool says(const Ran& ran, const std::string& text) {
  return ran.said.find(text) != std::string::npos;
}

// ---- stores that keep their promise -----------------------------------------------------------

std::vector<std::string> keepers() {
  std::istringstream names(ASSAY_INDEX_PLUGINS);
  std::vector<std::string> found;
  for (std::string name; names >> name;) {
    if (name != "dummy" && name != "stlmap" && name != "absl_btree") found.push_back(name);
  }
  return found;
}

class Keeper : public testing::TestWithParam<std::string> {};

TEST_P(Keeper, LosesNothing) {
  const Ran ran = run(GetParam() + " --kills 3 -n 60 --work_ms 100 --timeout 100");
  EXPECT_EQ(ran.exit_code, 0) << ran.said;
  EXPECT_TRUE(says(ran, "nothing acknowledged was lost")) << ran.said;
}

INSTANTIATE_TEST_SUITE_P(Plugins, Keeper, testing::ValuesIn(keepers()),
                         [](const auto& plugin) { return plugin.param; });

TEST(CrashCheck, AnHonestLogIsNotBlamed) {
  const Ran ran = run(fixture("honest_log") + " --kills 5 --work_ms 50");
  EXPECT_EQ(ran.exit_code, 0) << ran.said;
}

// ---- stores that do not -----------------------------------------------------------------------

TEST(CrashCheck, AcknowledgedBeforeItIsWritten) {
  const Ran ran = run(fixture("broken_early") + " --kills 5 --work_ms 50");
  EXPECT_EQ(ran.exit_code, 1) << ran.said;
  EXPECT_TRUE(says(ran, "stale: ") || says(ran, "gone: ")) << ran.said;
  const Ran unpromised = run(fixture("broken_early") + " --kills 5 --work_ms 50 --promise none");
  EXPECT_EQ(unpromised.exit_code, 0) << unpromised.said;
  EXPECT_TRUE(says(unpromised, "what was lost was not promised")) << unpromised.said;
}

TEST(CrashCheck, AValueWrittenInTwoHalves) {
  const Ran ran = run(fixture("broken_torn") + " --kills 8 --work_ms 50");
  EXPECT_EQ(ran.exit_code, 1) << ran.said;
  EXPECT_TRUE(says(ran, "torn: ")) << ran.said;
}

TEST(CrashCheck, ARemovalThatDoesNotLast) {
  const Ran ran = run(fixture("broken_removal") + " --kills 3 --work_ms 50");
  EXPECT_EQ(ran.exit_code, 1) << ran.said;
  EXPECT_TRUE(says(ran, "resurrected: ")) << ran.said;
}

TEST(CrashCheck, AStoreThatDoesNotOpenAgain) {
  const Ran ran = run(fixture("broken_reopen") + " --kills 2 --work_ms 20");
  EXPECT_EQ(ran.exit_code, 1) << ran.said;
  EXPECT_TRUE(says(ran, "not opened again: 2")) << ran.said;
}

TEST(CrashCheck, WhatDiesByItselfIsNotMeasured) {
  const Ran ran = run(fixture("broken_abort") + " --kills 2 --work_ms 5000");
  EXPECT_EQ(ran.exit_code, 3) << ran.said;
  EXPECT_TRUE(says(ran, "killed by signal 6")) << ran.said;
}

TEST(CrashCheck, WhatHangsIsNotWaitedForWithoutEnd) {
  const Ran ran = run(fixture("broken_hang") + " --kills 2 --timeout 1");
  EXPECT_EQ(ran.exit_code, 3) << ran.said;
  EXPECT_TRUE(says(ran, "loading took longer than 1 s")) << ran.said;
}

// ---- bad input, the record, interrupts, and what is left behind -------------------------------

TEST(CrashCheck, BadInputIsRefusedWithWordsAndTwo) {
  const std::array<std::pair<std::string, std::string>, 7> inputs = {{
      {"", "plugin is required"},
      {"no_such_plugin", "no such plug-in"},
      {fixture("honest_log") + " --kills 0", "--kills"},
      {fixture("honest_log") + " --value_size 4", "--value_size"},
      {fixture("honest_log") + " --promise maybe", "--promise"},
      {fixture("honest_log") + " --pool_path /no/such/folder", "--pool_path"},
      {fixture("honest_log") + " --json /no/such/folder/a.json", "no such folder"},
  }};
  for (const auto& [arguments, word] : inputs) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.exit_code, 2) << arguments << ran.said;
    EXPECT_TRUE(says(ran, word)) << arguments << ran.said;
  }
  EXPECT_EQ(run("--help").exit_code, 0);
}

TEST(CrashCheck, WhatIsNoPluginIsBadInput) {
  const TemporaryFolder folder;
  folder.write("text.so", "no shared library");
  const Ran ran = run((folder.path() / "text.so").string());
  EXPECT_EQ(ran.exit_code, 2) << ran.said;
  EXPECT_TRUE(says(ran, "cannot be loaded")) << ran.said;
}

nlohmann::json read_json(const std::filesystem::path& path) {
  return nlohmann::json::parse(std::ifstream(path));
}

TEST(CrashCheck, TheRecordHoldsASampleForEveryKill) {
  const TemporaryFolder folder;
  const auto json = folder.path() / "crash.json";
  const Ran ran =
      run(fixture("honest_log") + " --kills 4 --work_ms 20 --seed 7 --json " + json.string());
  ASSERT_EQ(ran.exit_code, 0) << ran.said;
  const auto document = read_json(json);
  EXPECT_EQ(document["context"]["assay"]["seed"], 7);
  const auto& row = document["benchmarks"][0];
  EXPECT_EQ(row["name"], "crash/honest_log/reopen");
  EXPECT_EQ(row["assay"]["samples"]["real_time"].size(), 4U);
  EXPECT_EQ(row["kills"], 4);
  EXPECT_EQ(row["lost"], 0);
  EXPECT_GT(row["acknowledged"], 4 * 200 - 1);
  EXPECT_GE(row["in_flight"], row["happened"]);
}

std::size_t entries(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator all(folder);
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

/// Counts processes whose command line contains `word`. A forked child has its parent's command
/// line and is counted too.
std::size_t processes_with(const std::string& word) {
  std::size_t count = 0;
  std::error_code gone;
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "cmdline");
    const std::string line{std::istreambuf_iterator<char>(file), {}};
    if (line.find(word) != std::string::npos) ++count;
  }
  return count;
}

TEST(CrashCheck, LeavesNothingBehind) {
  const TemporaryFolder folder;
  const Ran ran = run(fixture("broken_removal") + " --kills 3 --work_ms 50 --pool_path " +
                      folder.path().string());
  EXPECT_EQ(ran.exit_code, 1) << ran.said;
  EXPECT_EQ(entries(folder.path()), 0U);
}

TEST(CrashCheck, AnInterruptKeepsWhatThereIsAndLeavesNothingBehind) {
  const TemporaryFolder folder;
  const auto pools = folder.path() / "pools";
  const auto json = folder.path() / "crash.json";
  std::filesystem::create_directory(pools);
  const std::string plugin = fixture("honest_log");
  const pid_t process = fork();
  if (process == 0) {
    std::freopen("/dev/null", "w", stdout);
    execl(ASSAY_CRASH, ASSAY_CRASH, plugin.c_str(), "--kills", "100000", "--work_ms", "40",
          "--pool_path", pools.c_str(), "--json", json.c_str(), nullptr);
    _exit(127);
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  while (processes_with(pools.string()) < 2) continue;  // the program itself and one child
  kill(process, SIGINT);
  int status = 0;
  ASSERT_EQ(waitpid(process, &status, 0), process);
  EXPECT_EQ(WEXITSTATUS(status), 130);
  EXPECT_EQ(entries(pools), 0U);
  EXPECT_EQ(processes_with(pools.string()), 0U);
  const auto document = read_json(json);
  EXPECT_EQ(document["context"]["assay"]["interrupted"], true);
  EXPECT_GT(document["benchmarks"][0]["kills"], 0);
}

}  // namespace
}  // namespace assay::index::crash
