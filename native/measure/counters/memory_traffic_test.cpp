#include <assay/measure/counters/memory_traffic.hpp>

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(MemoryTraffic, IsCountedOrHasAReason) {
  MemoryTraffic traffic({"dram-read-bytes", "pmem-read-bytes"});
  traffic.start();
  traffic.stop();
  const auto values = traffic.read();
  ASSERT_EQ(values.size(), 2U);
  std::size_t without = 0;
  for (const CounterValue& value : values)
    if (!value.count) ++without;
  EXPECT_EQ(traffic.unavailable().size(), without);
  for (const std::string& line : traffic.unavailable()) {
    EXPECT_NE(line.find("-read-bytes: "), std::string::npos) << line;
  }
}

}  // namespace
}  // namespace assay
