// Encoding of events as sysfs describes them, on folders like those of an Intel and an AMD server.
#include <assay/measure/counters/uncore.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace assay {
namespace {

const std::filesystem::path intel = ASSAY_TESTDATA_DIR "/intel_ice_lake_sp";
const std::filesystem::path amd = ASSAY_TESTDATA_DIR "/amd_zen4_epyc";

std::vector<MemoryEvent> events_of(const std::filesystem::path& root, const std::string& what) {
  std::vector<MemoryEvent> events = memory_events(root).value();
  std::erase_if(events, [&](const MemoryEvent& event) { return event.what != what; });
  return events;
}

TEST(Uncore, FormatsSayWhichBitsAFieldTakes) {
  const auto plain = parse_format("config:8-15");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->word, 0);
  EXPECT_EQ(plain->bits.at(0).low, 8U);
  EXPECT_EQ(plain->bits.at(0).high, 15U);
  EXPECT_EQ(parse_format("config2:3")->word, 2);
  EXPECT_EQ(parse_format("config:0-7,32-37")->bits.size(), 2U);
  for (const char* const text :
       {"", "config", "config:", "config3:1", "config:9-8", "config:64", "config:x"}) {
    EXPECT_FALSE(parse_format(text).ok()) << text;
  }
}

TEST(Uncore, ValuesGoWhereTheFormatSays) {
  const Format format{{"event", *parse_format("config:0-7,32-37")},
                      {"umask", *parse_format("config:8-15")},
                      {"edge", *parse_format("config:18")},
                      {"filter", *parse_format("config1:0-63")}};
  EXPECT_EQ(encode("event=0x04,umask=0x0f", format)->config, 0x0F04U);
  EXPECT_EQ(encode("event=0x1a7,umask=3", format)->config, 0x1'0000'03A7U);
  EXPECT_EQ(encode("event=1,edge", format)->config, 0x40001U);
  EXPECT_EQ(encode("filter=0xffffffffffffffff", format)->config1, ~std::uint64_t{0});
}

TEST(Uncore, WhatCannotBeEncodedIsRefused) {
  const Format format{{"umask", *parse_format("config:8-15")}};
  EXPECT_FALSE(encode("event=1", format).ok());      // no such field
  EXPECT_FALSE(encode("umask=0x100", format).ok());  // does not fit
  EXPECT_FALSE(encode("umask=many", format).ok());   // not a number
  EXPECT_FALSE(encode("umask=", format).ok());
}

TEST(Uncore, AnIntelServersChannelsOnEachSocket) {
  const auto reads = events_of(intel, "dram-read-bytes");
  ASSERT_EQ(reads.size(), 4U);  // two channels on two sockets, without the free-running counters
  EXPECT_EQ(reads[0].pmu, "uncore_imc_0");
  EXPECT_EQ(reads[0].event.type, 80U);
  EXPECT_EQ(reads[0].event.config, 0x0F04U);
  EXPECT_EQ(reads[0].cpu, 0);
  EXPECT_EQ(reads[1].cpu, 32);
  EXPECT_EQ(reads[2].event.type, 81U);
  EXPECT_DOUBLE_EQ(reads[0].bytes_per_count, 64.0);
  const auto writes = events_of(intel, "dram-write-bytes");
  ASSERT_EQ(writes.size(), 4U);
  EXPECT_EQ(writes[0].event.config, 0x3004U);
}

TEST(Uncore, AnIntelServersPersistentMemory) {
  const auto reads = events_of(intel, "pmem-read-bytes");
  ASSERT_EQ(reads.size(), 4U);
  EXPECT_EQ(reads[0].event.config, 0xE3U);
  EXPECT_DOUBLE_EQ(reads[0].bytes_per_count, 64.0);
  EXPECT_EQ(events_of(intel, "pmem-write-bytes").at(0).event.config, 0xE7U);
}

TEST(Uncore, AnAmdServersChannels) {
  const auto reads = events_of(amd, "dram-read-bytes");
  ASSERT_EQ(reads.size(), 2U);
  EXPECT_EQ(reads[0].pmu, "amd_umc_0");
  EXPECT_EQ(reads[0].event.type, 20U);
  EXPECT_EQ(reads[0].event.config, 0x10AU);
  EXPECT_EQ(events_of(amd, "dram-write-bytes").at(1).event.config, 0x20AU);
  EXPECT_TRUE(events_of(amd, "pmem-read-bytes").empty());  // a host without persistent memory
}

TEST(Uncore, AHostWithoutAnySaysSo) {
  const auto events = memory_events(intel / "nowhere");
  ASSERT_FALSE(events.ok());
  EXPECT_NE(events.error().line().find("no memory controller"), std::string::npos);
}

}  // namespace
}  // namespace assay
