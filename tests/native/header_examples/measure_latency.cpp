// The examples of native/measure/latency, line for line (tools/header_examples.py).
#include <assay/measure/latency/base64.hpp>
#include <assay/measure/latency/hdr_encoding.hpp>
#include <assay/measure/latency/latency_histogram.hpp>
#include <assay/measure/latency/latency_timing.hpp>
#include <assay/measure/latency/pacing.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {
namespace {

void work() {}
void serve() {}

TEST(HeaderExamples, Base64) {
  const std::string bytes = "to and fro";

  const std::string text = assay::to_base64(bytes);
  const std::optional<std::vector<std::uint8_t>> again = assay::from_base64(text);

  ASSERT_TRUE(again);
  EXPECT_EQ(std::string(again->begin(), again->end()), bytes);
}

TEST(HeaderExamples, HdrEncoding) {
  LatencyHistogram histogram;
  histogram.record(1'203);

  const std::string text = assay::encode_hdr(histogram);
  assay::Result<assay::LatencyHistogram> again = assay::decode_hdr(text);

  ASSERT_TRUE(again);
  EXPECT_EQ(again->max_ns(), 1'203);
}

TEST(HeaderExamples, LatencyHistogram) {
  const std::int64_t took_ns = 17;

  assay::LatencyHistogram latencies;
  latencies.record(took_ns);
  const std::int64_t p99_ns = latencies.quantile_ns(0.99);

  EXPECT_EQ(p99_ns, 17);
}

TEST(HeaderExamples, LatencyTiming) {
  LatencyHistogram histogram;

  {
    const assay::LatencyTiming timing(histogram);
    work();
  }

  EXPECT_EQ(histogram.total(), 1U);
}

TEST(HeaderExamples, Pacing) {
  LatencyHistogram histogram;
  const int requests = 3;

  assay::Pacer pacer(assay::Arrivals::fixed(10'000));  // every 10 us
  for (int i = 0; i < requests; ++i) {
    const assay::LatencyTiming timing(histogram, pacer.wait());
    serve();
  }

  EXPECT_EQ(histogram.total(), 3U);
}

}  // namespace
}  // namespace assay
