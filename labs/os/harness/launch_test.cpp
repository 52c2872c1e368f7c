#include <assay/os/harness/launch.hpp>

#include <assay/os/harness/case_list.hpp>
#include <assay/os/harness/plan_text.hpp>
#include <assay/os/harness/sampling.hpp>

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <set>

namespace assay::os {
namespace {

double median_of(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  return samples.at(samples.size() / 2);
}

Launched measure(const Case& what, const std::vector<std::pair<char, std::string>>& options = {},
                 int processes = 1, int threads = 1, Effort effort = {}) {
  Setting setting(what.options);
  for (const auto& [letter, word] : options) EXPECT_TRUE(setting.set(letter, word));
  setting.processes = processes;
  setting.threads = threads;
  return launch({.what = &what, .setting = setting, .effort = effort});
}

TEST(Launch, NopTakesTimeAndHasItsSamples) {
  const Launched launched = measure(*find_case("nop"), {}, 1, 1, {.samples = 9});
  ASSERT_FALSE(launched.trouble) << launched.trouble->line();
  EXPECT_EQ(launched.per_call_ns.size(), 9U);
  EXPECT_GT(launched.calls, 1000) << "calls of a nanosecond need many for a sample";
  EXPECT_GT(median_of(launched.per_call_ns), 0.1);
  EXPECT_GT(launched.loop_ns, 0.0);
}

// Holds on any machine: a hundred thousand times the bytes cannot cost the same, unless the
// compiler removed the call or moved it out of the loop.
TEST(Launch, StrlenGrowsWithItsString) {
  const Case strlen_case = *find_case("strlen");
  const Launched brief = measure(strlen_case, {{'s', "10"}});
  const Launched lengthy = measure(strlen_case, {{'s', "1m"}});
  ASSERT_FALSE(brief.trouble || lengthy.trouble);
  EXPECT_GT(median_of(lengthy.per_call_ns), 100 * median_of(brief.per_call_ns));
}

// Work that takes 5 ms a call and hardly any CPU time.
struct Sleeps final : Work {
  Status run(Calls calls) override {
    for (Calls i = 0; i < calls; ++i) poll(nullptr, 0, 5);
    return {};
  }
};

TEST(Launch, CpuTimeIsTheThreads) {
  const Effort effort{.samples = 4, .batch = 1};
  const Launched busy = measure(*find_case("getpid"), {}, 1, 2);
  const Launched idle = measure({.name = "sleeps", .stage = each<Sleeps>}, {}, 1, 1, effort);
  ASSERT_FALSE(busy.trouble || idle.trouble);
  EXPECT_GT(busy.cpu_ns, 1);
  EXPECT_LT(busy.cpu_ns, 10 * median_of(busy.per_call_ns));
  EXPECT_GT(median_of(idle.per_call_ns), 4e6);
  EXPECT_LT(idle.cpu_ns, 0.5 * median_of(idle.per_call_ns));
}

TEST(Launch, EveryWorkerHasItsSamples) {
  const Launched launched = measure(*find_case("getpid"), {}, 2, 3, {.samples = 4});
  ASSERT_FALSE(launched.trouble) << launched.trouble->line();
  EXPECT_EQ(launched.per_call_ns.size(), 24U);
}

TEST(Launch, BatchIsWhatWasAsked) {
  const Launched launched = measure(*find_case("nop"), {}, 1, 1, {.samples = 3, .batch = 50});
  EXPECT_EQ(launched.calls, 50);
}

TEST(Launch, EndsAtItsTime) {
  const Effort effort{.samples = 1'000'000, .longest_ns = 20'000'000};
  const Launched launched = measure(*find_case("nop"), {}, 1, 1, effort);
  EXPECT_LT(launched.per_call_ns.size(), 1'000'000U);
  EXPECT_GE(launched.per_call_ns.size(), 1U);
}

// ---- cases that go wrong ------------------------------------------------------------------

struct Fails final : Work {
  Status run(Calls) override { return Error{"no good", "run"}; }
};
struct Dies final : Work {
  explicit Dies(const Setting&, const WorkerId& worker) : index(worker.index) {}
  Status run(Calls) override {
    if (index == 1) raise(SIGKILL);
    return {};
  }
  int index;
};
struct Lacks final : Work {
  static Made<Lacks> make(const Setting&) { return host_lacks("no such thing here"); }
  Status run(Calls) override { return {}; }
};
struct Hangs final : Work {
  Status run(Calls) override {
    while (true) pause();
  }
};

TEST(Launch, TroubleIsTold) {
  const Launched launched = measure({.name = "fails", .stage = each<Fails>}, {}, 2, 2);
  ASSERT_TRUE(launched.trouble);
  EXPECT_EQ(launched.trouble->line(), "run: no good");
  EXPECT_FALSE(is_host_lacking(*launched.trouble));
}

TEST(Launch, DeathOfAWorkerDoesNotHang) {
  const Launched launched = measure({.name = "dies", .stage = each<Dies>}, {}, 3);
  ASSERT_TRUE(launched.trouble);
  EXPECT_NE(launched.trouble->line().find("signal 9"), std::string::npos);
}

TEST(Launch, WhatTheHostLacksIsNoFailure) {
  const Launched launched = measure({.name = "lacks", .stage = each<Lacks>});
  ASSERT_TRUE(launched.trouble);
  EXPECT_TRUE(is_host_lacking(*launched.trouble));
  EXPECT_EQ(launched.trouble->line(), "this host: no such thing here");
}

TEST(Launch, WhatHangsIsEnded) {
  const Effort effort{.timeout_ns = 100'000'000};
  const Launched launched = measure({.name = "hangs", .stage = each<Hangs>}, {}, 1, 1, effort);
  ASSERT_TRUE(launched.trouble);
  EXPECT_NE(launched.trouble->line().find("did not end"), std::string::npos);
}

// ---- what a sample is -----------------------------------------------------------------------

struct Counts final : Work {
  explicit Counts(const Setting&) {}
  [[nodiscard]] Calls most_calls() const override { return 7; }
  Status prepare(Calls calls) override {
    if (ready != 0) return Error{"prepared twice"};
    ready = calls;
    return {};
  }
  Status run(Calls calls) override {
    if (ready != calls) return Error{"run without being prepared"};
    ready = -1;
    return {};
  }
  Status undo(Calls) override {
    if (ready != -1) return Error{"undone without a run"};
    ready = 0;
    return {};
  }
  Calls ready{0};
};

TEST(Launch, PreparesRunsAndUndoesInTurn) {
  const Launched launched = measure({.name = "counts", .stage = each<Counts>}, {}, 1, 2);
  EXPECT_FALSE(launched.trouble) << launched.trouble->line();
  EXPECT_EQ(launched.calls, 7);
}

TEST(NextBatch, GrowsTowardsItsAim) {
  EXPECT_EQ(next_batch(1, 10, 1'000'000, any_number), 11);  // at most tenfold
  EXPECT_EQ(next_batch(1000, 500'000, 1'000'000, any_number), 2001);
  EXPECT_EQ(next_batch(1000, 900'000, 1'000'000, any_number), 1000);  // 0.9 of the aim is enough
  EXPECT_EQ(next_batch(1000, 10, 1'000'000, 1500), 1500);
  EXPECT_EQ(next_batch(1500, 10, 1'000'000, 1500), 1500);
  EXPECT_EQ(next_batch(5, 0, 1'000'000, any_number), 51);
}

TEST(PlanText, ComesBackAsItWent) {
  const Case what = *find_case("malloc");
  Setting setting(what.options);
  EXPECT_TRUE(setting.set('s', "10"));
  EXPECT_TRUE(setting.set('s', "2k"));
  setting.processes = 2;
  setting.operands = {"a b", "c"};
  const LaunchPlan plan{.what = &what,
                        .setting = setting,
                        .effort = {.samples = 5, .enough_calls = 700, .align = true},
                        .cpus = {1, 0},
                        .in_this_process = true};
  const auto back = plan_from(text_of(plan));
  ASSERT_TRUE(back) << back.error().line();
  EXPECT_EQ(back->what.name, "malloc");
  EXPECT_EQ(back->plan.setting.numbers('s'), (std::vector<std::int64_t>{10, 2048}));
  EXPECT_EQ(back->plan.setting.operands, setting.operands);
  EXPECT_EQ(back->plan.setting.processes, 2);
  EXPECT_EQ(back->plan.effort.samples, 5);
  EXPECT_EQ(back->plan.effort.enough_calls, 700);
  EXPECT_TRUE(back->plan.effort.align && back->plan.in_this_process);
  EXPECT_EQ(back->plan.cpus, (std::vector<int>{1, 0}));
  EXPECT_FALSE(plan_from("{}"));
  EXPECT_FALSE(plan_from("nonsense"));
}

}  // namespace
}  // namespace assay::os
