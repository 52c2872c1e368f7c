#include <assay/primitives/group.hpp>

#include <benchmark/benchmark.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace assay::primitives {
namespace {

struct Right {
  static constexpr std::string_view name = "Kind::Right";
};
struct OnTwo {
  static constexpr std::string_view name = "Threads::Two";
};

/// Runs the registered benchmarks, and returns their JSON.
std::string run_registered() {
  std::ostringstream out;
  benchmark::JSONReporter reporter;
  reporter.SetOutputStream(&out);
  reporter.SetErrorStream(&out);
  benchmark::RunSpecifiedBenchmarks(&reporter, nullptr, ".");
  benchmark::ClearRegisteredBenchmarks();
  return out.str();
}

TEST(Group, NamesMembersAndConditionsAsFlowbenchDoes) {
  EXPECT_EQ(name_of<Right>("bench_ref_copy"), "bench_ref_copy<Kind::Right>");
  EXPECT_EQ((name_of<Right, OnTwo>("bench_stream")), "bench_stream<Kind::Right, Threads::Two>");
}

void add_named(Group& group, const char* name) {
  group.add({.name = name, .check = {}, .loop = {}});
}

const OptionalPart first_part([](Group& group) { add_named(group, "bench_queue<First>"); });
const OptionalPart second_part([](Group& group) {
  add_named(group, "bench_queue<Second>");
  add_named(group, "bench_queue<Third>");
});

TEST(OptionalParts, AddWhatEachFileRegisteredInTheirOrder) {
  Group group;
  add_named(group, "bench_queue<Always>");
  add_optional_parts(group);
  std::vector<std::string> names;
  for (const Primitive& primitive : group.primitives()) names.push_back(primitive.name);
  EXPECT_EQ(names, (std::vector<std::string>{"bench_queue<Always>", "bench_queue<First>",
                                             "bench_queue<Second>", "bench_queue<Third>"}));
}

TEST(Group, AWrongPrimitiveIsAnErrorAndIsNeverTimed) {
  Group group;
  bool was_timed = false;
  group.add({.name = "bench_queue<Wrong>",
             .check = [] { return Problem("item 3 came twice"); },
             .loop = [&was_timed](benchmark::State&) { was_timed = true; }});
  register_benchmarks(group);
  const std::string json = run_registered();
  EXPECT_NE(json.find("not timed, as it is wrong: item 3 came twice"), std::string::npos) << json;
  EXPECT_FALSE(was_timed);
}

TEST(Group, ARightOneIsCheckedOnceAndSaysWhatThreadsMayDoWithIt) {
  Group group;
  int checks = 0;
  int loops = 0;
  group.add(
      {.name = "bench_queue<Right>",
       .sharing = Sharing::thread_safe,
       .check =
           [&checks] {
             ++checks;
             return Problem();
           },
       .loop =
           [&loops](benchmark::State& state) {
             ++loops;
             for (auto _ : state) benchmark::DoNotOptimize(loops);
           },
       .shape = [](benchmark::internal::Benchmark& made) { made.Repetitions(3)->Iterations(10); }});
  register_benchmarks(group);
  const std::string json = run_registered();
  EXPECT_EQ(checks, 1);
  EXPECT_GE(loops, 3);
  EXPECT_NE(json.find("\"label\": \"thread-safe\""), std::string::npos) << json;
}

}  // namespace
}  // namespace assay::primitives
