#include <assay/measure/allocations/allocation_status.hpp>

#include <assay/measure/allocations/allocation_hooks.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace assay {
namespace {

/// The output of a fixture program that prints its own allocation_status().
std::string output_of(const std::string& command) {
  FILE* const pipe = popen(command.c_str(), "r");
  std::string text;
  std::array<char, 256> buffer{};
  while (pipe != nullptr && fgets(buffer.data(), buffer.size(), pipe) != nullptr) {
    text += buffer.data();
  }
  return pclose(pipe) == 0 ? text : "failed: " + text;
}

const std::string fixtures = ASSAY_FIXTURE_DIR;

TEST(AllocationStatus, OfThisProgramIsCountedOrSaysWhyNot) {
  const AllocationStatus& status = allocation_status();
  EXPECT_EQ(status.counted, hooks::compiled_in());
  EXPECT_EQ(status.reason.empty(), status.counted);
  EXPECT_EQ(status.allocator.find("libc") != std::string::npos, status.counted);
}

TEST(AllocationStatus, OfAProgramWithItsOwnMallocSaysSo) {
  if (!hooks::compiled_in()) GTEST_SKIP() << hooks::why_not();
  const std::string text = output_of(fixtures + "/own_malloc");
  EXPECT_EQ(text.find("counted 0 malloc is the one of "), 0U) << text;
  EXPECT_NE(text.find("own_malloc"), std::string::npos) << text;
}

TEST(AllocationStatus, OfAProgramWhoseNewBypassesMallocSaysSo) {
  if (!hooks::compiled_in()) GTEST_SKIP() << hooks::why_not();
  const std::string text = output_of(fixtures + "/own_new");
  EXPECT_EQ(text.find("counted 0 operator new of "), 0U) << text;
}

TEST(AllocationStatus, OfAProgramWithAPreloadedMallocCountsThatOne) {
  if (!hooks::compiled_in()) GTEST_SKIP() << hooks::why_not();
  const std::string preload = fixtures + "/libpreloaded_malloc.so";
  const std::string text = output_of("LD_PRELOAD=" + preload + " " + fixtures + "/plain_malloc");
  EXPECT_EQ(text, "counted 1 " + preload + "\n");
}

TEST(AllocationStatus, OfAPlainProgramNamesGlibc) {
  if (!hooks::compiled_in()) GTEST_SKIP() << hooks::why_not();
  const std::string text = output_of(fixtures + "/plain_malloc");
  EXPECT_EQ(text.find("counted 1 "), 0U) << text;
  EXPECT_NE(text.find("libc.so"), std::string::npos) << text;
}

}  // namespace
}  // namespace assay
