#include <assay/os/harness/case_list.hpp>

#include <assay/os/harness/launch.hpp>
#include <assay/os/harness/scratch.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string_view>
#include <thread>

namespace {
const pid_t process_of_tests = getpid();
}

// LeakSanitizer calls this when a process ends. It is turned off in forked children: there it does
// not see the stacks of the parent's threads, and reports what they own as leaks.
extern "C" int __lsan_is_turned_off() {
  return getpid() == process_of_tests ? 0 : 1;
}

namespace assay::os {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t entries_of(const char* folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

// State of the process that a case may forget to restore or release.
struct Leftovers {
  std::ptrdiff_t descriptors{entries_of("/proc/self/fd")};
  std::ptrdiff_t threads{entries_of("/proc/self/task")};
  std::string folder{fs::current_path().string()};
  std::string signals{signals_now()};  // masks of blocked, ignored and handled signals
  bool children{waitpid(-1, nullptr, WNOHANG) != -1 || errno != ECHILD};

  static std::string signals_now() {
    std::ifstream status("/proc/self/status");
    std::string found;
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("SigBlk") || line.starts_with("SigIgn") || line.starts_with("SigCgt"))
        found += line + "\n";
    }
    return found;
  }
  bool operator==(const Leftovers&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Leftovers& left) {
  return out << left.descriptors << " descriptors, " << left.threads << " threads, in "
             << left.folder << (left.children ? ", children" : "") << "\n"
             << left.signals;
}

// The state as soon as it equals `before`, or after a second: a joined thread stays in /proc for a
// moment.
Leftovers settled_leftovers(const Leftovers& before) {
  constexpr int moments = 1'000;
  Leftovers now;
  for (int i = 0; i < moments && !(now == before); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    now = Leftovers();
  }
  return now;
}

// Starts and joins a thread before the state is recorded: with a process's first thread the C
// library begins to handle a signal, and a sanitizer starts a thread of its own.
void start_first_thread() {
  fs::path in_proc;
  std::thread([&] { in_proc = "/proc/self/task/" + std::to_string(gettid()); }).join();
  while (fs::exists(in_proc)) std::this_thread::yield();
}

// Cases that may be skipped because some hosts do not permit them. Every other case must run
// wherever the tests do.
struct PermittedSkip {
  const char* name;
  const char* why;
};
constexpr std::array permitted_skips{
    PermittedSkip{"clone3", "filters of older container runtimes hide it"},
    PermittedSkip{"io_uring_read", "kernel.io_uring_disabled, and filters of containers"},
    PermittedSkip{"io_uring_write", "kernel.io_uring_disabled, and filters of containers"},
    PermittedSkip{"isatty", "a bare root file system may have no /dev/ptmx"},
    PermittedSkip{"membarrier", "filters of containers"},
    PermittedSkip{"openat2", "filters of older container runtimes hide it"},
    PermittedSkip{"pidfd", "filters of older container runtimes hide it"},
    PermittedSkip{"semop", "kernels without System V semaphores, or all of them taken"},
};

// Why this case may be skipped; null if it may not.
const char* reason_to_skip(std::string_view name) {
  for (const PermittedSkip& one : permitted_skips) {
    if (one.name == name) return one.why;
  }
  return nullptr;
}

class EveryCase : public testing::Test {
 protected:
  EveryCase() : scratch_(Scratch::make(folder_.path().string())) {}

  LaunchPlan plan_of(const Case& what) {
    LaunchPlan plan{.what = &what, .setting = Setting(what.options)};
    plan.setting.memory_folder = scratch_->memory_folder();
    plan.setting.disk_folder = scratch_->disk_folder();
    plan.setting.libexec = ASSAY_FIXTURE_DIR "/../libexec/assay";
    plan.effort = {.samples = 2, .longest_ns = 60'000'000'000, .batch = 3};
    const auto resolved = plan.setting.replace_tokens(
        [this](const std::string& token) { return scratch_->resolve(token); });
    EXPECT_TRUE(resolved) << resolved.error().line();
    return plan;
  }

  // The number of samples; nothing where the host lacks what the case needs.
  static std::optional<std::size_t> samples_of(const LaunchPlan& plan) {
    const Launched launched = launch(plan);
    if (!launched.trouble) return launched.per_call_ns.size();
    EXPECT_TRUE(is_host_lacking(*launched.trouble)) << launched.trouble->line();
    const char* const why = reason_to_skip(plan.what->name);
    EXPECT_NE(why, nullptr) << launched.trouble->line();
    std::cout << plan.what->name << " skipped: " << launched.trouble->line()
              << "; permitted: " << (why == nullptr ? "no" : why) << "\n";
    return std::nullopt;
  }

  TemporaryFolder folder_;
  const Result<Scratch> scratch_;
};

TEST(MadeOf, SaysWhyThePartIsMissing) {
  const auto missing = made_of<int>(Result<int>(Error{"no such file"}));
  EXPECT_TRUE(!missing && missing.error().what == "no such file");
  const auto made = made_of<std::string>(Result<int>(3), 'x');
  EXPECT_TRUE(made && **made == "xxx");
}

TEST(PermittedSkips, AreOfCasesThatThereAre) {
  for (const PermittedSkip& one : permitted_skips) EXPECT_TRUE(find_case(one.name)) << one.name;
}

TEST_F(EveryCase, RunsAndLeavesTheProcessAsItWas) {
  ASSERT_TRUE(scratch_) << scratch_.error().line();
  start_first_thread();
  ASSERT_FALSE(all_cases().empty());
  for (const Case& what : all_cases()) {
    SCOPED_TRACE(what.name);
    LaunchPlan plan = plan_of(what);
    plan.in_this_process = true;
    const Leftovers before;
    EXPECT_EQ(samples_of(plan).value_or(2), 2U);
    EXPECT_EQ(settled_leftovers(before), before);
  }
}

TEST_F(EveryCase, RunsInSeveralProcessesOfSeveralThreads) {
  ASSERT_TRUE(scratch_) << scratch_.error().line();
  for (const Case& what : all_cases()) {
    SCOPED_TRACE(what.name);
    LaunchPlan plan = plan_of(what);
    plan.setting.processes = 2;
    plan.setting.threads = 2;
    EXPECT_EQ(samples_of(plan).value_or(8), 8U);
    EXPECT_FALSE(Leftovers().children);
  }
}

// Workers of several processes must not wait at a mutex that is not PTHREAD_PROCESS_SHARED:
// unlocking it wakes waiters of the same process only, so the others would wait for ever.
TEST_F(EveryCase, MutexOfSeveralProcessesIsSharedOnlyWhenAskedFor) {
  ASSERT_TRUE(scratch_) << scratch_.error().line();
  const Case what = *find_case("mutex");
  for (const bool shared : {false, true}) {
    LaunchPlan plan = plan_of(what);
    plan.setting.processes = 2;
    plan.setting.threads = 2;
    if (shared) {
      EXPECT_TRUE(plan.setting.set('p', ""));
    }
    plan.effort = {.samples = 5, .batch = 20'000, .timeout_ns = 20'000'000'000};
    EXPECT_EQ(samples_of(plan), 20U) << shared;
  }
}

// Holds on any machine: ten thousand times the bytes cannot cost the same, unless the compiler
// removed the call or moved it out of the loop.
TEST_F(EveryCase, OfBytesInMemoryGrowsWithThem) {
  ASSERT_TRUE(scratch_) << scratch_.error().line();
  for (const char* name :
       {"memcpy", "memmove", "memset", "strcasecmp", "strchr", "strcmp", "strcpy", "getrandom"}) {
    SCOPED_TRACE(name);
    const Case what = *find_case(name);
    const auto least_ns = [&](const std::string& size) {
      LaunchPlan plan = plan_of(what);
      EXPECT_TRUE(plan.setting.set('s', size));
      plan.effort = {.samples = 5};
      const Launched launched = launch(plan);
      EXPECT_FALSE(launched.trouble) << launched.trouble->line();
      const auto& each_ns = launched.per_call_ns;
      return each_ns.empty() ? 0.0 : *std::min_element(each_ns.begin(), each_ns.end());
    };
    EXPECT_GT(least_ns("100k"), 10 * least_ns("10"));
  }
}

}  // namespace
}  // namespace assay::os
