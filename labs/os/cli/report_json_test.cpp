#include <assay/os/cli/report_json.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace assay::os {
namespace {

Command command_of(const std::vector<std::string>& words) {
  auto command = parse_command(words);
  EXPECT_TRUE(command) << command.error().line();
  return std::move(command).value();
}

Measured two_launches() {
  Measured measured;
  for (const double base_ns : {1000.0, 1100.0}) {
    Launched launched{
        .calls = 10, .cpu_ns = 900, .loop_ns = 0.25, .clock_cost_ns = 21, .elapsed_ns = 100'000};
    for (int i = 0; i < 50; ++i) launched.per_call_ns.push_back(base_ns + i);
    measured.launches.push_back(launched);
  }
  return measured;
}

TEST(JsonReport, ARowForEachLaunch) {
  const auto document =
      record_of(command_of({"strlen", "-N", "me", "--json", "x"}), two_launches());
  ASSERT_EQ(document["benchmarks"].size(), 2U);
  const auto& row = document["benchmarks"][1];
  EXPECT_EQ(row["name"], "me");
  EXPECT_EQ(row["label"], "strlen -N me");
  EXPECT_EQ(row["iterations"], 500);
  EXPECT_DOUBLE_EQ(row["real_time"], 1124.5);
  EXPECT_DOUBLE_EQ(row["cpu_time"], 900);
  EXPECT_EQ(row["assay"]["launch"], 1);
  EXPECT_EQ(row["assay"]["samples"]["real_time"].size(), 50U);
  EXPECT_EQ(document["context"]["assay"]["schema"], 1);
}

TEST(JsonReport, SkippedHasTheReason) {
  Measured measured;
  measured.trouble = host_lacks("no io_uring");
  const auto document = record_of(command_of({"nop"}), measured);
  ASSERT_EQ(document["benchmarks"].size(), 1U);
  EXPECT_EQ(document["benchmarks"][0]["error_occurred"], true);
  EXPECT_EQ(document["benchmarks"][0]["error_message"], "skipped: this host: no io_uring");
}

TEST(JsonReport, TakesOffEachLaunchesOwnLoop) {
  Measured measured = two_launches();
  measured.launches[1].loop_ns = 1120;
  const auto document = record_of(command_of({"nop", "--subtract-loop"}), measured);
  const auto samples = [&document](std::size_t row, std::size_t place) {
    return document["benchmarks"][row]["assay"]["samples"]["real_time"][place].get<double>();
  };
  EXPECT_DOUBLE_EQ(samples(0, 0), 1000 - 0.25);
  EXPECT_DOUBLE_EQ(samples(1, 0), 0) << "less than nothing";
  EXPECT_DOUBLE_EQ(samples(1, 49), 1149 - 1120);
}

}  // namespace
}  // namespace assay::os
