// libassay_preload.so in programs not built with us, over glibc's malloc and over others'.
#include <assay/base/result.hpp>
#include <assay/measure/allocations/allocation_hooks.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace assay {
namespace {

struct Allocator {
  std::string name;
  std::string library;
};

const std::vector<Allocator> allocators{
#include "test_allocators.inc"
};

const std::string fixtures = ASSAY_FIXTURE_DIR;

/// The JSON lines that the processes of a command wrote.
std::vector<std::string> lines_of(const std::string& command, const std::string& preloads = "") {
  const std::string file =
      testing::TempDir() + "tally." + std::to_string(getpid()) + "." + std::to_string(std::rand());
  const std::string whole =
      "ASSAY_ALLOCATIONS_FILE=" + file + " LD_PRELOAD=" ASSAY_PRELOAD + preloads + " " + command;
  EXPECT_EQ(std::system(whole.c_str()), 0) << whole;
  std::vector<std::string> lines;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  std::filesystem::remove(file);
  return lines;
}

/// The number after "key": in a line.
std::int64_t number(const std::string& line, const std::string& key) {
  const std::size_t at = line.find("\"" + key + "\":");
  return at == std::string::npos ? -1 : std::stoll(line.substr(at + key.size() + 3));
}

class PreloadTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!hooks::compiled_in()) GTEST_SKIP() << "not counted: " << hooks::why_not();
  }
};

void expect_known(const std::string& line, std::int64_t times = 1) {
  EXPECT_NE(line.find("\"counted\":true"), std::string::npos) << line;
  // The C++ runtime and the start of threads add a few allocations of their own.
  EXPECT_GE(number(line, "allocs"), 107 * times) << line;
  EXPECT_LT(number(line, "allocs"), 107 * times + 12) << line;
  EXPECT_EQ(number(line, "reallocs"), 10 * times) << line;
  EXPECT_GE(number(line, "frees"), 97 * times) << line;
  EXPECT_GE(number(line, "bytes"), (100'000 + 20'000 + 28) * times) << line;
  EXPECT_GE(number(line, "leaked_bytes"), 10'000 * times) << line;
  EXPECT_GE(number(line, "peak_bytes"), 110'000) << line;
}

TEST_F(PreloadTest, CountsAProgramNotBuiltWithUs) {
  const auto lines = lines_of(fixtures + "/known_allocations");
  ASSERT_EQ(lines.size(), 1U);
  expect_known(lines[0]);
  // libstdc++ allocates one block at the start, never freed, for throwing when memory is exhausted.
  const bool has_pool = number(lines[0], "allocs") == 108;
  const std::int64_t pool = has_pool ? 72'704 : 0;
  EXPECT_EQ(number(lines[0], "allocs"), 107 + (has_pool ? 1 : 0)) << lines[0];
  EXPECT_EQ(number(lines[0], "frees"), 97) << lines[0];
  EXPECT_EQ(number(lines[0], "bytes"), 120'028 + pool) << lines[0];
  EXPECT_LT(number(lines[0], "leaked_bytes"), 10'200 + pool) << lines[0];
  EXPECT_LT(number(lines[0], "peak_bytes"), 112'000 + pool) << lines[0];
}

TEST_F(PreloadTest, ThreadsAreAddedUp) {
  const auto lines = lines_of(fixtures + "/known_allocations threads");
  ASSERT_EQ(lines.size(), 1U);
  expect_known(lines[0], 2);
}

TEST_F(PreloadTest, ProgramsThatEndAtOnceWriteTheirLine) {
  const auto lines = lines_of(fixtures + "/known_allocations _exit");
  ASSERT_EQ(lines.size(), 1U);
  expect_known(lines[0]);
}

TEST_F(PreloadTest, AForkedChildWritesWhatItDidItself) {
  const auto lines = lines_of(fixtures + "/known_allocations fork");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(number(lines[0], "allocs"), 1) << lines[0];
  EXPECT_EQ(number(lines[0], "bytes"), 50) << lines[0];
  expect_known(lines[1]);
}

TEST_F(PreloadTest, AProgramThatBecomesAnotherWritesBoth) {
  const auto lines = lines_of(fixtures + "/known_allocations exec");
  ASSERT_EQ(lines.size(), 2U);
  expect_known(lines[0]);
  expect_known(lines[1]);
}

TEST_F(PreloadTest, ThePeakCanBeLeftOut) {
  const auto lines = lines_of("ASSAY_ALLOCATIONS_PEAK=off " + fixtures + "/known_allocations");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].find("peak_bytes"), std::string::npos);
  EXPECT_GE(number(lines[0], "allocs"), 107);
}

TEST_F(PreloadTest, AProgramWithItsOwnMallocIsNotSaidToAllocateNothing) {
  const auto lines = lines_of(fixtures + "/own_malloc >/dev/null");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("\"counted\":false"), std::string::npos) << lines[0];
}

TEST_F(PreloadTest, ProgramsBuiltWithUsCanBePreloadedToo) {
  const auto lines = lines_of(fixtures + "/plain_malloc >/dev/null");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_NE(lines[0].find("\"counted\":true"), std::string::npos) << lines[0];
}

TEST_F(PreloadTest, WithoutAFileNothingIsWritten) {
  EXPECT_EQ(
      std::system(("LD_PRELOAD=" ASSAY_PRELOAD " " + fixtures + "/known_allocations").c_str()), 0);
}

TEST_F(PreloadTest, CountsWithOtherAllocatorsLinked) {
  if (allocators.empty()) GTEST_SKIP() << "none was found at configure time";
  for (const Allocator& allocator : allocators) {
    const auto lines = lines_of(fixtures + "/known_allocations_" + allocator.name);
    ASSERT_EQ(lines.size(), 1U) << allocator.name;
    expect_known(lines[0]);
  }
}

TEST_F(PreloadTest, CountsWithOtherAllocatorsPreloaded) {
  if (allocators.empty()) GTEST_SKIP() << "none was found at configure time";
  for (const Allocator& allocator : allocators) {
    const auto lines = lines_of(fixtures + "/known_allocations", ":" + allocator.library);
    ASSERT_EQ(lines.size(), 1U) << allocator.name;
    expect_known(lines[0]);
  }
}

/// The output of a fixture program that links the hooks and prints its allocation_status().
std::string output_of(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  char text[512] = "";
  if (pipe == nullptr || fgets(text, sizeof text, pipe) == nullptr) text[0] = '\0';
  EXPECT_EQ(pclose(pipe), 0);
  return text;
}

TEST_F(PreloadTest, LinkedHooksCountOverOtherAllocators) {
  if (allocators.empty()) GTEST_SKIP() << "none was found at configure time";
  for (const Allocator& allocator : allocators) {
    const std::string linked = output_of(fixtures + "/plain_malloc_" + allocator.name);
    EXPECT_EQ(linked.find("counted 1 "), 0U) << linked;
    EXPECT_NE(linked.find("lib" + allocator.name), std::string::npos) << linked;
    const std::string preloaded =
        output_of("LD_PRELOAD=" + allocator.library + " " + fixtures + "/plain_malloc");
    EXPECT_EQ(preloaded.find("counted 1 "), 0U) << preloaded;
    EXPECT_NE(preloaded.find("lib" + allocator.name), std::string::npos) << preloaded;
  }
}

}  // namespace
}  // namespace assay
