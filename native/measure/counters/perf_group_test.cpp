// Counters of the kernel, against what /proc and getrusage say of the same thread. Hardware
// counters are tested where the host has them, and everywhere that a refusal has a reason.
#include <assay/measure/counters/perf_group.hpp>
#include <assay/system/clock.hpp>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

namespace assay {
namespace {

// More page faults than a sanitizer causes at a thread's start.
constexpr std::size_t pages = 2'000;

/// Touches fresh pages: a minor fault each.
void fault() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory =
      mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, pages * page, MADV_NOHUGEPAGE);
  auto* const bytes = static_cast<volatile char*>(memory);
  for (std::size_t i = 0; i < pages; ++i) bytes[i * page] = 1;
  munmap(memory, pages * page);
}

double thread_cpu_ns() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

void spin_for_ns(double ns) {
  const double start = thread_cpu_ns();
  while (thread_cpu_ns() - start < ns) {
  }
}

/// A number from /proc/thread-self/status.
double from_status(const std::string& key) {
  std::ifstream file("/proc/thread-self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key + ":", 0) == 0) return std::stod(line.substr(key.size() + 1));
  }
  return -1;
}

/// The thread's minor faults: field 10 of /proc/thread-self/stat.
double minor_faults_in_proc() {
  std::ifstream file("/proc/thread-self/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::istringstream fields(text.substr(text.rfind(')') + 2));
  std::string word;
  for (int field = 3; field <= 10; ++field) fields >> word;
  return std::stod(word);
}

using Counts = std::map<std::string, double>;

Counts counts_of(PerfGroup& group) {
  Counts counts;
  for (const CounterValue& value : group.read()) {
    if (value.count) counts[value.name] = *value.count;
  }
  return counts;
}

/// Skips the test where a container forbids perf_event_open; software counters need no PMU.
#define ASSAY_SKIP_IF_REFUSED(group) \
  if (!(group).unavailable().empty()) GTEST_SKIP() << (group).unavailable()[0]

TEST(PerfGroup, PageFaultsAreThoseOfProc) {
  PerfGroup group({"page-faults", "minor-faults", "major-faults"});
  ASSAY_SKIP_IF_REFUSED(group);
  const double first = minor_faults_in_proc();
  const double before = minor_faults_in_proc();
  group.start();
  fault();
  group.stop();
  const double in_proc = minor_faults_in_proc() - before;
  // Minor faults of reading /proc itself: dozens under a sanitizer.
  const double in_reading = before - first;
  const Counts counts = counts_of(group);
  EXPECT_GE(counts.at("minor-faults"), pages);
  EXPECT_LE(counts.at("minor-faults"), in_proc);  // the second reading of /proc may fault as well
  EXPECT_GE(counts.at("minor-faults"), in_proc - in_reading - 20);
  EXPECT_EQ(counts.at("page-faults"), counts.at("minor-faults") + counts.at("major-faults"));
}

// Bounds, not equality: on a virtual machine, task-clock includes the steal time while the thread
// was on a CPU; the thread's CPU time does not.
TEST(PerfGroup, TaskClockIsTheTimeOnACpu) {
  PerfGroup group({"task-clock"});
  ASSAY_SKIP_IF_REFUSED(group);
  constexpr int asleep_us = 50'000;
  // Tolerance: at a context switch the two clocks stop at different moments.
  constexpr double switches_ns = 1e6;
  const std::int64_t began_ns = now_ns();
  group.start();
  const double cpu_before_ns = thread_cpu_ns();
  spin_for_ns(20e6);
  usleep(asleep_us);
  const double cpu_ns = thread_cpu_ns() - cpu_before_ns;
  group.stop();
  const auto elapsed_ns = static_cast<double>(now_ns() - began_ns);
  const double counted_ns = counts_of(group).at("task-clock");
  EXPECT_GE(counted_ns, cpu_ns - switches_ns);
  EXPECT_LE(counted_ns, elapsed_ns - asleep_us * 1e3 + switches_ns);
}

TEST(PerfGroup, ContextSwitchesAreThoseOfProc) {
  PerfGroup group({"context-switches"});
  ASSAY_SKIP_IF_REFUSED(group);
  const auto in_proc = [] {
    return from_status("voluntary_ctxt_switches") + from_status("nonvoluntary_ctxt_switches");
  };
  group.start();
  const double before = in_proc();
  for (int i = 0; i < 20; ++i) usleep(100);
  const double taken = in_proc() - before;
  group.stop();
  EXPECT_GE(taken, 20);
  EXPECT_NEAR(counts_of(group).at("context-switches"), taken, 3);
}

TEST(PerfGroup, MigrationsAreCountedWhenTheThreadIsMoved) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  if (CPU_COUNT(&allowed) < 2) GTEST_SKIP() << "one CPU only";
  PerfGroup group({"cpu-migrations"});
  ASSAY_SKIP_IF_REFUSED(group);
  group.start();
  int moves = 0;
  for (std::size_t cpu = 0; cpu < CPU_SETSIZE && moves < 2; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed)) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    ++moves;
  }
  group.stop();
  sched_setaffinity(0, sizeof allowed, &allowed);
  EXPECT_GE(counts_of(group).at("cpu-migrations"), 1);
}

TEST(PerfGroup, WhatHappensOutsideStartAndStopIsNotCounted) {
  PerfGroup group({"page-faults"});
  ASSAY_SKIP_IF_REFUSED(group);
  fault();
  group.start();
  group.stop();
  fault();
  EXPECT_LT(counts_of(group).at("page-faults"), 20);
  group.start();
  fault();
  group.stop();
  EXPECT_GE(counts_of(group).at("page-faults"), pages);
}

TEST(PerfGroup, OtherThreadsCountOnlyWhereAskedFor) {
  PerfGroup alone({"page-faults"}, PerfGroup::Covers::this_thread);
  PerfGroup with_new({"page-faults"}, PerfGroup::Covers::this_thread_and_new);
  ASSAY_SKIP_IF_REFUSED(alone);
  alone.start();
  with_new.start();
  std::thread(fault).join();
  alone.stop();
  with_new.stop();
  EXPECT_LT(counts_of(alone).at("page-faults"), pages);
  EXPECT_GE(counts_of(with_new).at("page-faults"), pages);
}

TEST(PerfGroup, WhatIsRefusedHasAReasonAndNoCount) {
  PerfGroup group({"no-such-counter", "page-faults", "r"});
  group.start();
  group.stop();
  const auto values = group.read();
  ASSERT_EQ(values.size(), 3U);
  EXPECT_FALSE(values[0].count.has_value());
  EXPECT_FALSE(values[2].count.has_value());
  const auto& lines = group.unavailable();
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[0].rfind("no-such-counter: ", 0), 0U) << lines[0];
  EXPECT_GT(lines[0].size(), std::string("no-such-counter: ").size());
}

TEST(PerfGroup, HardwareCountersCountOrSayWhyNot) {
  PerfGroup group({"cycles:u", "instructions:u", "branches:u", "branch-misses:u",
                   "L1-dcache-load-misses:u", "LLC-load-misses:u", "dTLB-load-misses:u"});
  group.start();
  spin_for_ns(5e6);
  group.stop();
  const auto values = group.read();
  const auto has_count = [](const CounterValue& v) { return v.count.has_value(); };
  const auto counted = std::count_if(values.begin(), values.end(), has_count);
  EXPECT_EQ(static_cast<std::size_t>(counted) + group.unavailable().size(), values.size());
  EXPECT_EQ(hardware_counters_refused().empty(), values[0].count.has_value());
  for (const CounterValue& value : values) {
    if (value.name != "instructions:u" || !value.count) continue;
    EXPECT_GT(*value.count, 1e5);
  }
}

}  // namespace
}  // namespace assay
