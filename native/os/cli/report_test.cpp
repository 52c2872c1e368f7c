#include <assay/os/cli/libmicro_facts.hpp>
#include <assay/os/cli/recorded.hpp>
#include <assay/os/cli/report_json.hpp>
#include <assay/os/cli/report_libmicro.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>
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
  measured.elapsed_ns = 2'500'000'000;
  return measured;
}

std::string report(const std::vector<std::string>& words, const Measured& measured) {
  return libmicro_report(command_of(words), measured, statistics_of(measured.launches, 0));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(LibMicroReport, RowAndHeader) {
  EXPECT_EQ(report({"strlen", "-s", "10", "-N", "strlen_10"}, two_launches()),
            "             prc thr   usecs/call      samples     size\n"
            "strlen_10      1   1      1.10000          100       10\n");
}

TEST(LibMicroReport, MeanWithoutHeader) {
  EXPECT_EQ(report({"nop", "-MH", "-P", "2", "-T", "3"}, two_launches()),
            "nop            2   3      1.07450          100 \n");
}

TEST(LibMicroReport, StatisticsAreLaidOutAsLibMicros) {
  const std::string text = report({"exec", "-L", "-S", "-N", "exec"}, two_launches());
  EXPECT_TRUE(text.starts_with("# assay os exec -L -S -N exec \n"));
  for (const char* line :
       {"# STATISTICS           usecs/call\n", "#                    min      1.00000\n",
        "#                    max      1.14900\n", "#                    95%      1.14500\n",
        "#                   mean      1.07450\n", "#                 median      1.10000\n",
        "#           elapsed time      2.50000\n", "#      number of samples          100\n",
        "#      getnsecs overhead           21\n", "# DISTRIBUTION\n",
        "#        mean of 95%      1.07068\n", "#          95th %ile      1.14500\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << "in\n" << text;
  }
}

TEST(LibMicroReport, HistogramCountsEverySample) {
  const Statistics all = statistics_of(two_launches().launches, 0);
  const std::string text = libmicro_histogram(all);
  int counted = 0;
  for (const std::string& line : lines_of(text)) {
    if (line.find(" |") != std::string::npos) counted += std::stoi(line.substr(1));
  }
  EXPECT_EQ(counted, 100) << text;
}

TEST(LibMicroReport, OneSample) {
  Measured measured;
  measured.launches.push_back({.per_call_ns = {5.0}, .calls = 1});
  EXPECT_NE(report({"nop", "-S"}, measured).find("0.00500"), std::string::npos);
}

TEST(LibMicroReport, SkippedAndFailed) {
  Measured measured;
  measured.trouble = host_lacks("no io_uring");
  EXPECT_EQ(report({"nop", "-H"}, measured), "nop SKIPPED this host: no io_uring\n");
  measured.trouble = Error{"broken"};
  EXPECT_EQ(report({"nop", "-H"}, measured), "nop ERROR broken\n");
}

TEST(LibMicroFacts, AreKeysAndValues) {
  const std::string text = libmicro_facts();
  EXPECT_TRUE(text.starts_with("!Version       \tassay "));
  EXPECT_NE(text.find("\n!Num CPUs      \t"), std::string::npos);
  for (const std::string& line : lines_of(text)) {
    EXPECT_EQ(line.front(), '!') << line;
    EXPECT_EQ(line.find('\t'), 15U) << line;
    EXPECT_LE(line.size(), 16U + 50) << line;
  }
}

TEST(JsonReport, ARowForEachLaunch) {
  const auto document = nlohmann::json::parse(
      json_report(command_of({"strlen", "-N", "me", "--json", "x"}), two_launches(), 0));
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
  const auto document = nlohmann::json::parse(json_report(command_of({"nop"}), measured, 0));
  ASSERT_EQ(document["benchmarks"].size(), 1U);
  EXPECT_EQ(document["benchmarks"][0]["error_occurred"], true);
  EXPECT_EQ(document["benchmarks"][0]["error_message"], "skipped: this host: no io_uring");
}

TEST(Recorded, IsPrintedAsItWasMeasured) {
  const Command command = command_of({"strlen", "-s", "10", "-N", "strlen_10"});
  const auto runs = recorded_runs(json_report(command, two_launches(), 0));
  ASSERT_TRUE(runs) << runs.error().line();
  ASSERT_EQ(runs->size(), 1U);
  const RecordedRun& run = runs->front();
  const auto again =
      libmicro_report(run.command, run.measured, statistics_of(run.measured.launches, 0));
  EXPECT_EQ(again, report({"strlen", "-s", "10", "-N", "strlen_10"}, two_launches()));
  EXPECT_FALSE(recorded_runs("{}"));
  EXPECT_FALSE(recorded_runs("no json"));
}

}  // namespace
}  // namespace assay::os
