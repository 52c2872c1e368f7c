// What stays of a run when one of its benchmarks ends the process.
#include <assay/testing/temporary_folder.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <fstream>
#include <string>

namespace assay {
namespace {

using nlohmann::json;

struct EndedRun {
  int status;
  json file;
  std::string out;
};

EndedRun run(const std::string& misdeed, const std::string& more = "") {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "out.json").string();
  const std::string command =
      ASSAY_FIXTURE_DIR
      "/ending_benchmark --benchmark_min_time=0.001 --benchmark_filter='^(first|" +
      misdeed + "(/.*)?|last)$' --benchmark_out=" + path + " " + more + " 2>/dev/null";
  FILE* const pipe = popen(command.c_str(), "r");
  std::string out;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    out.append(buffer.data(), n);
  }
  const int status = pclose(pipe);
  std::ifstream stream(path);
  return {status, json::parse(stream), out};
}

/// Expects two rows: benchmark `first` with its time, and the benchmark that ended the process,
/// whose error message contains `says`.
void expect_salvaged(const json& whole, const std::string& misdeed, const std::string& says) {
  const json& rows = whole["benchmarks"];
  ASSERT_EQ(rows.size(), 2U) << rows;
  EXPECT_EQ(rows[0]["name"], "first");
  EXPECT_GT(rows[0]["real_time"].get<double>(), 0);
  EXPECT_EQ(rows[1]["name"], misdeed);
  EXPECT_EQ(rows[1]["error_occurred"], true);
  EXPECT_NE(rows[1]["error_message"].get<std::string>().find(says), std::string::npos) << rows[1];
}

TEST(EndingBenchmark, LosesNothingMeasuredBefore) {
  for (const char* const misdeed : {"exits", "exits_at_once", "is_killed"}) {
    expect_salvaged(run(misdeed).file, misdeed, "the process ended before");
  }
}

TEST(EndingBenchmark, ThatThrowsIsNamedWithWhatItThrew) {
  const EndedRun ended = run("throws");
  EXPECT_NE(ended.status, 0);
  expect_salvaged(ended.file, "throws", "thrown on purpose");
}

TEST(EndingBenchmark, LeavesJsonOnStandardOutputWhole) {
  for (const char* const misdeed : {"exits", "throws"}) {
    const EndedRun ended = run(misdeed, "--benchmark_format=json");
    expect_salvaged(json::parse(ended.out), misdeed, "");
  }
}

TEST(EndingBenchmark, ThatSkipsIsAnErrorAndTheRestGoesOn) {
  const json rows = run("skips").file["benchmarks"];
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1]["error_message"], "skipped on purpose");
  EXPECT_GT(rows[2]["real_time"].get<double>(), 0);
}

TEST(EndingBenchmark, ThatForksIsWrittenOnce) {
  for (const char* const misdeed : {"forks", "forks_and_exits"}) {
    for (const char* const format : {"--benchmark_format=json", "--benchmark_format=console"}) {
      const EndedRun ended = run(misdeed, format);
      EXPECT_EQ(ended.status, 0);
      ASSERT_EQ(ended.file["benchmarks"].size(), 3U) << misdeed;
      EXPECT_EQ(ended.file["benchmarks"][1]["name"], std::string(misdeed) + "/iterations:1");
      const std::size_t first = ended.out.find(misdeed);
      ASSERT_NE(first, std::string::npos);
      if (std::string(format).find("console") == std::string::npos) {
        EXPECT_EQ(json::parse(ended.out)["benchmarks"].size(), 3U);
      } else {
        EXPECT_EQ(ended.out.find("last"), ended.out.rfind("last")) << ended.out;
      }
    }
  }
}

TEST(EndingBenchmark, AWholeRunHasNothingBehindItsEnd) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "out.json").string();
  const std::string command =
      ASSAY_FIXTURE_DIR
      "/ending_benchmark --benchmark_min_time=0.001 --benchmark_filter='^(first|last)$'"
      " --benchmark_out=" +
      path + " >/dev/null 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream stream(path);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_EQ(text.substr(text.size() - 3), "\n}\n");
  EXPECT_EQ(json::parse(text)["benchmarks"].size(), 2U);
}

}  // namespace
}  // namespace assay
