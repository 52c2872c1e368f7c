#include <assay/gbench/flags.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace assay {
namespace {

struct Parsed {
  GbenchFlags flags;
  std::vector<std::string> left;
};

Parsed parse(std::vector<std::string> words) {
  words.insert(words.begin(), "program");
  std::vector<char*> arguments;
  arguments.reserve(words.size());
  for (std::string& word : words) arguments.push_back(word.data());
  int count = static_cast<int>(arguments.size());
  Parsed parsed{take_gbench_flags(count, arguments.data()), {}};
  for (int i = 1; i < count; ++i) {
    parsed.left.emplace_back(arguments[static_cast<std::size_t>(i)]);
  }
  return parsed;
}

TEST(GbenchFlags, HaveTheLibrarysDefaults) {
  const GbenchFlags flags = parse({}).flags;
  EXPECT_EQ(flags.format, "console");
  EXPECT_EQ(flags.out, "");
  EXPECT_EQ(flags.out_format, "json");
  EXPECT_TRUE(flags.memory_pass);
}

TEST(GbenchFlags, AreReadAndLeftForTheLibrary) {
  const Parsed parsed = parse(
      {"--benchmark_format=csv", "--benchmark_out=a=b.json", "--benchmark_out_format=console"});
  EXPECT_EQ(parsed.flags.format, "csv");
  EXPECT_EQ(parsed.flags.out, "a=b.json");
  EXPECT_EQ(parsed.flags.out_format, "console");
  EXPECT_EQ(parsed.left.size(), 3U);
}

TEST(GbenchFlags, TheLastOneWins) {
  EXPECT_EQ(parse({"--benchmark_format=csv", "--benchmark_format=json"}).flags.format, "json");
}

TEST(GbenchFlags, OursAreTakenOut) {
  const Parsed parsed = parse({"--benchmark_filter=x", "--assay_memory_pass=off", "rest"});
  EXPECT_FALSE(parsed.flags.memory_pass);
  EXPECT_EQ(parsed.left, (std::vector<std::string>{"--benchmark_filter=x", "rest"}));
}

TEST(GbenchFlags, TheEnvironmentFillsInForAFlag) {
  setenv("BENCHMARK_FORMAT", "json", 1);
  setenv("ASSAY_MEMORY_PASS", "off", 1);
  EXPECT_EQ(parse({}).flags.format, "json");
  EXPECT_FALSE(parse({}).flags.memory_pass);
  EXPECT_EQ(parse({"--benchmark_format=csv"}).flags.format, "csv");
  EXPECT_TRUE(parse({"--assay_memory_pass=on"}).flags.memory_pass);
  unsetenv("BENCHMARK_FORMAT");
  unsetenv("ASSAY_MEMORY_PASS");
}

}  // namespace
}  // namespace assay
