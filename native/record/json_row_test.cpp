#include <assay/record/json_row.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace assay {
namespace {

using nlohmann::ordered_json;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

TEST(JsonRow, TextsReplaceWhatTheLibraryWrote) {
  ordered_json row = {{"name", "-"}, {"iterations", 3}};
  complete_row(row, {{"name", "a\"b"}, {"label", "said"}, {"skip_message", ""}}, {});
  EXPECT_EQ(row["name"], "a\"b");
  EXPECT_EQ(row["label"], "said");
  EXPECT_FALSE(row.contains("skip_message"));
  EXPECT_EQ(row.begin().key(), "name");  // keys stay where the library put them
}

TEST(JsonRow, CountersAreNumbers) {
  ordered_json row = {{"name", "x"}};
  complete_row(row, {}, {{"rate", 12.5}, {"name", 7}});
  EXPECT_EQ(row["rate"], 12.5);
  EXPECT_EQ(row["name"], "x");
}

TEST(JsonRow, CountersThatAreNoNumbersAreNamedInstead) {
  ordered_json row = {{"name", "x"}};
  complete_row(row, {}, {{"inf", infinity}, {"nan", not_a_number}});
  EXPECT_FALSE(row.contains("inf"));
  EXPECT_FALSE(row.contains("nan"));
  EXPECT_EQ(row["assay"]["unavailable"].size(), 2U);
  EXPECT_EQ(row["assay"]["unavailable"][0], "inf: not a finite number");
}

TEST(JsonMemory, IsPerIteration) {
  const MemoryUse use{.tally = {.allocs = 32,
                                .reallocs = 16,
                                .moved = 0,
                                .frees = 8,
                                .requested_bytes = 1600,
                                .usable_bytes = 3200,
                                .usable_freed_bytes = 1600},
                      .peak_bytes = 77,
                      .iterations = 16,
                      .threads = 1};
  const ordered_json expected = {{"allocs", 2.0},  {"reallocs", 1.0},     {"frees", 0.5},
                                 {"bytes", 100.0}, {"freed_bytes", 50.0}, {"leaked_bytes", 100.0},
                                 {"threads", 1},   {"counted", "pass"},   {"peak_bytes", 77}};
  EXPECT_EQ(json_memory(use), expected);
}

TEST(JsonMemory, ComesFromCountersWhereTheBenchmarkReportedThem) {
  const auto memory = json_memory({{"CallsToAlloc", 9},
                                   {"CallsToRealloc", 2},
                                   {"CallsToFree", 10},
                                   {"MemoryAllocated", 130},
                                   {"MemoryFreed", 120}},
                                  4);
  ASSERT_TRUE(memory);
  EXPECT_EQ((*memory)["allocs"], 9.0);
  EXPECT_EQ((*memory)["leaked_bytes"], 10.0);
  EXPECT_EQ((*memory)["threads"], 4);
  EXPECT_FALSE(json_memory({{"items_per_second", 3}}, 1));
}

TEST(JsonLatencies, NamesWhatWasClampedAndNothingElse) {
  ordered_json row = {{"name", "x"}};
  put_latencies(row, {});
  EXPECT_FALSE(row.contains("assay"));
  put_latencies(row, {{"read", {"HIST=", 0, 0}}, {"write", {"HIST2", 3, 4}}});
  const ordered_json expected = {{"histograms", {{"read", "HIST="}, {"write", "HIST2"}}},
                                 {"clamped", {{"write", {{"below", 3}, {"above", 4}}}}}};
  EXPECT_EQ(row["assay"], expected);
}

TEST(JsonText, IsValidWhateverTheNameHolds) {
  const std::string name = "a\"b\\c\n\t\x01<\xc3\xbc>\xff/:";
  const std::string text = to_text({{"name", name}}, 4);
  const auto read = ordered_json::parse(text);
  EXPECT_EQ(read["name"], "a\"b\\c\n\t\x01<\xc3\xbc>\xef\xbf\xbd/:");
}

TEST(JsonText, IsIndentedAsAWhole) {
  EXPECT_EQ(to_text({{"a", 1}}, 4), "    {\n      \"a\": 1\n    }");
}

}  // namespace
}  // namespace assay
