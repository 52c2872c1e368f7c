#include <assay/record/json_context.hpp>

#include <gtest/gtest.h>

namespace assay {
namespace {

Facts some_facts() {
  Facts facts;
  facts.host.cpus = 8;
  facts.host.aslr = true;
  facts.host.unavailable = {"governor: no cpufreq"};
  facts.build = {.compiler = "gcc", .cplusplus = 202002, .optimised = true};
  facts.benchmark_version = "1.7.1";
  facts.clock = {
      .source = "tsc", .quality = {.resolution_ns = 20, .cost_ns = 25.5}, .frequency_hz = 2.1e9};
  facts.git_revision = "abc";
  facts.allocations = {.counted = true, .allocator = "libc.so.6"};
  return facts;
}

TEST(JsonContext, HoldsWhatTheContractNames) {
  const auto object = json_context(some_facts());
  EXPECT_EQ(object["schema"], 1);
  EXPECT_EQ(object["tool"].get<std::string>().rfind("assay ", 0), 0U);
  EXPECT_EQ(object["host"]["cpus"], 8);
  EXPECT_EQ(object["build"]["benchmark_version"], "1.7.1");
  EXPECT_EQ(object["build"]["optimised"], true);
  EXPECT_EQ(object["clock"]["source"], "tsc");
  EXPECT_EQ(object["clock"]["resolution_ns"], 20);
  EXPECT_EQ(object["clock"]["cost_ns"], 25.5);
  EXPECT_EQ(object["clock"]["frequency_hz"], 2.1e9);
  EXPECT_EQ(object["git"]["revision"], "abc");
  EXPECT_EQ(object["allocations"]["counted"], true);
  EXPECT_EQ(object["unavailable"].size(), 1U);
}

TEST(JsonContext, LeavesOutWhatIsNotKnown) {
  Facts facts = some_facts();
  facts.git_revision.reset();
  const auto object = json_context(facts);
  EXPECT_FALSE(object.contains("git"));
  EXPECT_FALSE(object["host"].contains("governor"));
}

TEST(JsonContext, SaysWhyAllocationsAreNotCounted) {
  Facts facts = some_facts();
  facts.allocations = {.counted = false, .reason = "own malloc"};
  const auto object = json_context(facts);
  EXPECT_EQ(object["allocations"]["reason"], "own malloc");
  EXPECT_EQ(object["unavailable"].back(), "allocations: own malloc");
}

TEST(JsonContext, OfThisProcessIsGatheredWhole) {
  const auto object = json_context(gather_facts(ASSAY_BUILD_FACTS, "1.0"));
  EXPECT_GT(object["clock"]["resolution_ns"], 0);
  EXPECT_GE(object["clock"]["frequency_hz"], 1e8);
  EXPECT_TRUE(object["host"].contains("kernel"));
}

}  // namespace
}  // namespace assay
