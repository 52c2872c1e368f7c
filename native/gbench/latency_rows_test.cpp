#include <assay/gbench/latency_rows.hpp>

#include <assay/measure/latency/hdr_encoding.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace assay {
namespace {

LatencyHistogram of(std::int64_t value) {
  LatencyHistogram histogram;
  histogram.record(value);
  return histogram;
}

TEST(LatencyRows, TheLastThreadOfARunGetsWhatAllRecorded) {
  LatencyRows rows;
  rows.open();
  rows.arrive("latency");
  rows.arrive("latency");
  EXPECT_FALSE(rows.leave("latency", of(10)));
  const auto whole = rows.leave("latency", of(-7));
  ASSERT_TRUE(whole && whole->id);
  EXPECT_EQ(whole->histogram.total(), 2U);

  const std::string counter = LatencyRows::id_name("latency");
  const auto found = rows.of({{counter, *whole->id}, {"p50", 10}});
  ASSERT_EQ(found.size(), 1U);
  const LatencyRow& row = found.at("latency");
  EXPECT_EQ(row.encoded, encode_hdr(whole->histogram));
  EXPECT_EQ(row.clamped_below, 1U);
  EXPECT_EQ(row.clamped_above, 0U);
}

TEST(LatencyRows, RunsAfterOneAnotherDoNotMix) {
  LatencyRows rows;
  rows.open();
  for (int run = 0; run < 3; ++run) {
    rows.arrive("latency");
    const auto whole = rows.leave("latency", of(run + 1));
    ASSERT_TRUE(whole && whole->id);
    EXPECT_EQ(whole->histogram.total(), 1U);
    EXPECT_EQ(*whole->id, static_cast<std::size_t>(run));
  }
}

TEST(LatencyRows, NamesOfOneRunDoNotMix) {
  LatencyRows rows;
  rows.open();
  rows.arrive("read");
  rows.arrive("write");
  EXPECT_EQ(rows.leave("read", of(5))->histogram.max_ns(), 5);
  EXPECT_EQ(rows.leave("write", of(6))->histogram.max_ns(), 6);
}

TEST(LatencyRows, NothingIsKeptBeforeOpeningOrWhilePaused) {
  LatencyRows rows;
  rows.arrive("latency");
  const auto whole = rows.leave("latency", of(5));
  ASSERT_TRUE(whole);
  EXPECT_FALSE(whole->id);

  rows.open();
  rows.pause();
  rows.arrive("latency");
  EXPECT_FALSE(rows.leave("latency", of(5)));
  rows.resume();
  rows.arrive("latency");
  EXPECT_TRUE(rows.leave("latency", of(5)));
}

TEST(LatencyRows, NothingRecordedIsNoHistogram) {
  LatencyRows rows;
  rows.open();
  rows.arrive("latency");
  EXPECT_FALSE(rows.leave("latency", {}));
}

TEST(LatencyRows, ForgedIdsFindNothing) {
  LatencyRows rows;
  const std::string counter = LatencyRows::id_name("x");
  EXPECT_TRUE(LatencyRows::is_id(counter));
  EXPECT_FALSE(LatencyRows::is_id("p50"));
  for (const double id : {-1.0, 0.0, 0.5, 1e300, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_TRUE(rows.of({{counter, id}}).empty()) << id;
  }
}

}  // namespace
}  // namespace assay
