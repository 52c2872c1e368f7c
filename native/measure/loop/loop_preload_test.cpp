// libassay_loop.so in a Google Benchmark program not built with us.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace assay {
namespace {

const std::string fixtures = ASSAY_FIXTURE_DIR;

using Lines = std::vector<std::string>;

/// What the library wrote about one benchmark. `before` goes in front of the program: more
/// environment variables, and a command that runs it.
Lines lines_of(const std::string& benchmark, const std::string& before = "", int expected = 0) {
  const std::string file = testing::TempDir() + "loops." + std::to_string(getpid());
  const std::string whole = "ASSAY_LOOP_FILE=" + file + " LD_PRELOAD=" ASSAY_LOOP " " + before +
                            fixtures + "/loop_benchmark --benchmark_filter='^" + benchmark +
                            "/' > /dev/null 2>&1";
  EXPECT_EQ(std::system(whole.c_str()) == 0, expected == 0) << whole;
  Lines lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::filesystem::remove(file);
  return lines;
}

struct Sum {
  std::int64_t count{0};
  std::int64_t bytes{0};
};

Sum sum_of(const Lines& lines, const std::string& event) {
  Sum sum;
  for (const std::string& line : lines) {
    std::istringstream words(line);
    std::string kind;
    std::string what;
    std::int64_t count = 0;
    std::int64_t bytes = 0;
    if (words >> kind >> what >> count >> bytes && kind == "site" && what == event) {
      sum.count += count;
      sum.bytes += bytes;
    }
  }
  return sum;
}

std::size_t number_of(const Lines& lines, const std::string& word) {
  std::size_t number = 0;
  for (const std::string& line : lines) number += line == word || line.starts_with(word + " ");
  return number;
}

class LoopPreload : public testing::Test {
 protected:
  void SetUp() override {
#ifndef ASSAY_HAVE_LOOP_BENCHMARK
    GTEST_SKIP() << "Google Benchmark is not installed";
#endif
  }
};

TEST_F(LoopPreload, CountsWhatTheLoopAllocatesAndNothingElse) {
  const Lines lines = lines_of("known");
  ASSERT_FALSE(lines.empty());
  EXPECT_NE(lines[0].find(" watched counted "), std::string::npos) << lines[0];
  EXPECT_EQ(number_of(lines, "loop"), 1U);
  EXPECT_EQ(number_of(lines, "loop 40"), 1U) << "it does not say how many iterations it did";
  const Sum allocated = sum_of(lines, "allocated");
  EXPECT_EQ(allocated.count, 40 * 4);  // malloc, realloc, new, calloc
  EXPECT_EQ(allocated.bytes, 40 * (100 + 3000 + 4 + 100));
  EXPECT_EQ(sum_of(lines, "freed").count, 40 * 4);
}

TEST_F(LoopPreload, ALoopThatAllocatesNothingHasNoSites) {
  const Lines lines = lines_of("nothing");
  EXPECT_EQ(number_of(lines, "loop"), 1U);
  EXPECT_EQ(number_of(lines, "site"), 0U);
}

TEST_F(LoopPreload, SeesTheOtherKindOfLoop) {
  EXPECT_EQ(sum_of(lines_of("keep_running"), "allocated").count, 40);
}

TEST_F(LoopPreload, CountsWhatOtherThreadsDoMeanwhile) {
  const Sum allocated = sum_of(lines_of("helper"), "allocated");
  EXPECT_GE(allocated.count, 10 * 2);
  EXPECT_GE(allocated.bytes, 10 * 77);
}

TEST_F(LoopPreload, SitesCanBeLeftOut) {
  const Lines lines = lines_of("known", "ASSAY_LOOP_SITES=off ");
  EXPECT_EQ(number_of(lines, "loop"), 1U);
  EXPECT_EQ(number_of(lines, "site"), 0U);
  EXPECT_EQ(number_of(lines, "module"), 0U);
  EXPECT_EQ(number_of(lines, "count"), 9U);
}

TEST_F(LoopPreload, ATrapOfTheProgramStillEndsIt) {
  const Lines lines = lines_of("dies", "LOOP_DIES=1 ", 1);
  EXPECT_EQ(number_of(lines, "loop"), 0U);
}

TEST_F(LoopPreload, AProgramWithoutLoopsSaysSo) {
  const std::string file = testing::TempDir() + "none." + std::to_string(getpid());
  const std::string whole = "ASSAY_LOOP_FILE=" + file + " LD_PRELOAD=" ASSAY_LOOP " /bin/true";
  ASSERT_EQ(std::system(whole.c_str()), 0);
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  EXPECT_NE(line.find(" unknown counted "), std::string::npos) << line;
  std::filesystem::remove(file);
}

}  // namespace
}  // namespace assay
