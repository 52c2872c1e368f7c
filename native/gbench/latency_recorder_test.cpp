// The recorder as its users see it: an executable that uses it and what it writes.
#include <assay/measure/allocations/allocation_hooks.hpp>
#include <assay/measure/latency/hdr_encoding.hpp>
#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace assay {
namespace {

using nlohmann::json;

/// The output of the program latency_fixture, run with these flags: standard output and error.
std::string fixture_output(const std::string& flags) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "out").string();
  const std::string command =
      ASSAY_FIXTURE_DIR "/latency_fixture --benchmark_min_time=0.001 " + flags;
  EXPECT_EQ(std::system((command + " >" + file + " 2>&1").c_str()), 0);
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

const json& whole_document() {
  static const json whole = json::parse(fixture_output("--benchmark_format=json 2>/dev/null"));
  return whole;
}

std::vector<json> rows(const std::string& start) {
  std::vector<json> found;
  for (const json& row : whole_document()["benchmarks"]) {
    if (row["name"].get<std::string>().rfind(start, 0) == 0) found.push_back(row);
  }
  EXPECT_FALSE(found.empty()) << start;
  return found;
}

LatencyHistogram histogram(const json& row, const char* name = "latency") {
  const auto decoded = decode_hdr(row["assay"]["histograms"][name].get<std::string>());
  EXPECT_TRUE(decoded);
  return decoded.value_or({});
}

TEST(LatencyRecorder, CountersAreTheQuantiles) {
  const json row = rows("known")[0];
  EXPECT_EQ(row["p50"], 500);
  EXPECT_EQ(row["p90"], 900);
  EXPECT_EQ(row["p99"], 990);
  EXPECT_EQ(row["p99.9"], 999);
  EXPECT_EQ(row["p99.99"], 1000);
  EXPECT_EQ(row["p99.999"], 1000);
  EXPECT_EQ(row["max"], 1000);
}

TEST(LatencyRecorder, TheRowHoldsTheWholeDistribution) {
  const LatencyHistogram whole = histogram(rows("known")[0]);
  EXPECT_EQ(whole.total(), 10'000U);
  for (std::size_t value = 1; value <= 1000; ++value) ASSERT_EQ(whole.counts()[value], 10U);
}

TEST(LatencyRecorder, ThreadsAreMerged) {
  const json row = rows("in_threads")[0];
  const LatencyHistogram whole = histogram(row);
  EXPECT_EQ(whole.counts()[100], 1000U);
  EXPECT_EQ(whole.counts()[200], 1000U);
  EXPECT_EQ(row["p50"], 100);
  EXPECT_EQ(row["max"], 200);
}

TEST(LatencyRecorder, EachRepetitionHasItsOwn) {
  std::vector<std::int64_t> levels;
  for (const json& row : rows("repeated")) {
    if (row["run_type"] == "aggregate") {
      EXPECT_FALSE(row.contains("assay") && row["assay"].contains("histograms"));
      EXPECT_TRUE(row.contains("p50"));
      continue;
    }
    EXPECT_EQ(histogram(row).total(), 10U);
    EXPECT_EQ(histogram(row).max_ns(), row["max"].get<std::int64_t>());
    levels.push_back(row["p50"].get<std::int64_t>());
  }
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_LT(levels[0], levels[1]);
  EXPECT_LT(levels[1], levels[2]);
}

TEST(LatencyRecorder, NamesAreToldApartAndClampedValuesSaid) {
  const json row = rows("two_names")[0];
  EXPECT_EQ(row["p50_read"], 5);
  EXPECT_EQ(row["max_latency_write"], 1);
  EXPECT_EQ(histogram(row, "read").total(), 10U);
  EXPECT_EQ(row["assay"]["clamped"], (json{{"write", {{"below", 10}, {"above", 0}}}}));
}

TEST(LatencyRecorder, TimesWhatIsInTheBlock) {
  const json row = rows("timed")[0];
  EXPECT_EQ(histogram(row).total(), row["iterations"].get<std::uint64_t>());
  EXPECT_GT(row["p50"], 50);
  EXPECT_LT(row["p50"].get<double>(), 1.1 * row["real_time"].get<double>() + 100);
}

TEST(LatencyRecorder, NoHistogramWhereNothingWasRecorded) {
  for (const char* const name : {"skips", "records_nothing"}) {
    const json row = rows(name)[0];
    EXPECT_FALSE(row.contains("p50")) << name;
    EXPECT_FALSE(row.contains("assay") && row["assay"].contains("histograms")) << name;
  }
}

TEST(LatencyRecorder, IsNoAllocationOfTheBenchmark) {
  if (!hooks::compiled_in()) GTEST_SKIP() << hooks::why_not();
  EXPECT_EQ(rows("timed")[0]["assay"]["memory"]["allocs"], 0.0);
  EXPECT_EQ(rows("timed")[0]["assay"]["memory"]["peak_bytes"], 0);
}

TEST(LatencyRecorder, NoFormatShowsTheId) {
  EXPECT_EQ(whole_document().dump().find("assay_histogram"), std::string::npos);
  for (const char* const format : {"console", "csv"}) {
    const std::string text =
        fixture_output(std::string("--benchmark_filter='^known' --benchmark_format=") + format);
    EXPECT_NE(text.find("p99.99"), std::string::npos) << text;
    EXPECT_EQ(text.find("assay_histogram"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace assay
