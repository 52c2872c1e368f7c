// libassay_delay.so in a program that times itself by system calls, which the library does not
// intercept.
#include <assay/measure/delay/delay.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace assay {
namespace {

TEST(OwedDelay, IsTheShareOfWhatRan) {
  OwedDelay owed;
  EXPECT_EQ(owed.wait_ns_after(1'000'000, 0.05), 50'000);
  owed.subtract_wait(50'030);
  EXPECT_EQ(owed.wait_ns_after(1'000'000, 0.05), 49'970);
}

TEST(OwedDelay, SavesUpWhatIsTooShort) {
  OwedDelay owed;
  std::int64_t added = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::int64_t wait = owed.wait_ns_after(100, 0.02);
    if (wait != 0) owed.subtract_wait(wait);
    added += wait;
  }
  EXPECT_NEAR(static_cast<double>(added), 20'000.0, 200.0);
}

TEST(OwedDelay, AWaitThatTookTooLongMakesNoneShorter) {
  OwedDelay owed;
  EXPECT_EQ(owed.wait_ns_after(10'000, 0.1), 1'000);
  owed.subtract_wait(4'000'000);
  EXPECT_EQ(owed.wait_ns_after(10'000, 0.1), 1'000);
}

TEST(OwedDelay, OfNothingIsNothing) {
  OwedDelay owed;
  EXPECT_EQ(owed.wait_ns_after(1'000'000'000, 0.0), 0);
}

/// The program's own times, taken by system calls, and the numbers that the library wrote to its
/// file.
struct DelayOutcome {
  std::int64_t took_ns{0};
  std::int64_t used_ns{0};  // CPU time of the program
  std::int64_t process{0};
  std::int64_t ran_ns{0};
  std::int64_t added_ns{0};
  std::int64_t readings{0};
};

DelayOutcome slowed(const std::string& share, const std::string& how) {
  const std::string file = testing::TempDir() + "delay." + std::to_string(getpid());
  const std::string said = file + ".said";
  std::filesystem::remove(file);
  const std::string command = "ASSAY_DELAY_SHARE=" + share + " ASSAY_DELAY_FILE=" + file +
                              " LD_PRELOAD=" ASSAY_DELAY " " ASSAY_FIXTURE_DIR "/clock_reader " +
                              how + " > " + said;
  EXPECT_EQ(std::system(command.c_str()), 0) << command;
  DelayOutcome seen;
  std::ifstream(said) >> seen.took_ns >> seen.used_ns;
  std::ostringstream content;
  content << std::ifstream(file).rdbuf();
  const std::string bytes = content.str();
  EXPECT_EQ(bytes.size(), sizeof(Delays));
  if (bytes.size() != sizeof(Delays)) return seen;
  const auto* const delays = reinterpret_cast<const Delays*>(bytes.data());
  EXPECT_EQ(delays->format, Delays::mark);
  std::filesystem::remove(file);
  std::filesystem::remove(said);
  return {.took_ns = seen.took_ns,
          .used_ns = seen.used_ns,
          .process = delays->process,
          .ran_ns = delays->ran_ns,
          .added_ns = delays->added_ns,
          .readings = delays->readings};
}

// The program takes its time by system calls, which the library does not intercept. Even on a busy
// machine, it cannot be less than the time that ran plus the delays.
TEST(DelayPreload, TheTimeReallyPasses) {
  const DelayOutcome seen = slowed("0.5", "loop");
  EXPECT_EQ(seen.readings, 2);
  EXPECT_GE(seen.ran_ns, 5'000'000);
  EXPECT_GE(seen.added_ns, seen.ran_ns / 2 - 1);
  EXPECT_GE(seen.took_ns, seen.ran_ns + seen.added_ns);
  EXPECT_GE(seen.used_ns, 1'000'000);
}

TEST(DelayPreload, AShareOfNothingAddsNothing) {
  const DelayOutcome seen = slowed("0", "loop");
  EXPECT_EQ(seen.readings, 2);
  EXPECT_GE(seen.ran_ns, 5'000'000);
  EXPECT_EQ(seen.added_ns, 0);
}

TEST(DelayPreload, EveryThreadIsDelayedByItsOwnTime) {
  const DelayOutcome seen = slowed("0.5", "threads");
  EXPECT_EQ(seen.readings, 4);
  EXPECT_GE(seen.ran_ns, 2 * 5'000'000);
  EXPECT_GE(seen.added_ns, seen.ran_ns / 2 - 2);
}

TEST(DelayPreload, WhatTheProgramStartsIsNotDelayed) {
  const DelayOutcome seen = slowed("0.5", "fork");
  EXPECT_EQ(seen.readings, 0);
  const DelayOutcome other = slowed("0.5", "exec");
  EXPECT_EQ(other.readings, 2);  // exec keeps the process, so the counts begin anew
}

}  // namespace
}  // namespace assay
