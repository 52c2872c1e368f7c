#include <assay/measure/latency/hdr_encoding.hpp>

#include <assay/base/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace assay {
namespace {

LatencyHistogram of(const std::vector<std::int64_t>& values) {
  LatencyHistogram histogram;
  for (const std::int64_t value : values) histogram.record(value);
  return histogram;
}

void expect_same_counts(const LatencyHistogram& one, const Result<LatencyHistogram>& other) {
  ASSERT_TRUE(other) << other.error().line();
  EXPECT_TRUE(std::ranges::equal(one.counts(), other->counts()));
}

std::vector<std::uint8_t> plain(const LatencyHistogram& histogram) {
  const std::string text = encode_hdr_plain(histogram);
  return {text.begin(), text.end()};
}

/// The plain form: a valid header, followed by these encoded counts.
std::vector<std::uint8_t> with_counts(const std::vector<std::uint8_t>& counts) {
  std::vector<std::uint8_t> bytes = plain({});
  bytes[7] = static_cast<std::uint8_t>(counts.size());
  bytes.insert(bytes.end(), counts.begin(), counts.end());
  return bytes;
}

std::string why_not(const std::vector<std::uint8_t>& bytes) {
  const auto decoded = decode_hdr_plain(bytes);
  return decoded ? "it was read" : decoded.error().line();
}

// The text that the Python package hdrhistogram 0.10.8 writes for HdrHistogram(1, 3600000000000, 3)
// with the values 1, 2000, 2000 and 5000000. The interoperation test has many more.
TEST(HdrEncoding, ReadsWhatPythonWrote) {
  const auto decoded =
      decode_hdr("HISTFAAAACl4nJNpmSzMwMDAyQABzFCaEch0M9ixgMH+A1SAabY8y9PNjEwAgSsGsA==");
  expect_same_counts(of({1, 2000, 2000, 5'000'000}), decoded);
}

TEST(HdrEncoding, ComesBackAsItWas) {
  Random random(7);
  std::vector<std::int64_t> values{1, 2, 2, LatencyHistogram::highest_ns};
  for (int i = 0; i < 10'000; ++i) {
    values.push_back(static_cast<std::int64_t>(1 + random.below(std::uint64_t{1} << (i % 41))));
  }
  const LatencyHistogram histogram = of(values);
  expect_same_counts(histogram, decode_hdr(encode_hdr(histogram)));
  expect_same_counts({}, decode_hdr(encode_hdr({})));
}

TEST(HdrEncoding, CarriesLargeCounts) {
  LatencyHistogram histogram;
  for (unsigned bits = 0; bits < 61; ++bits) {
    histogram.add(std::size_t{bits} * 13, (std::uint64_t{1} << bits) + 1);
  }
  expect_same_counts(histogram, decode_hdr(encode_hdr(histogram)));
}

TEST(HdrEncoding, IsCompact) {
  Random random(3);
  LatencyHistogram histogram;
  for (int i = 0; i < 100'000; ++i) histogram.record(100 + std::int64_t(random.below(1000)));
  EXPECT_LT(encode_hdr(histogram).size(), 3'000U);
}

TEST(HdrDecoding, RefusesTextThatIsNone) {
  for (const char* const text : {"", "!", "AAAA", "HISTFAAAAAA=", "HISTFP////8=", "not base64 "}) {
    const auto decoded = decode_hdr(text);
    ASSERT_FALSE(decoded) << text;
    EXPECT_NE(decoded.error().line().find("histogram: "), std::string::npos);
  }
}

TEST(HdrDecoding, RefusesEveryTruncation) {
  const std::vector<std::uint8_t> whole = plain(of({5, 5, 70'000, 1'000'000'000}));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto decoded = decode_hdr_plain(std::span(whole).first(size));
    EXPECT_FALSE(decoded) << size;
  }
  const std::string text = encode_hdr(of({5, 5, 70'000, 1'000'000'000}));
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(decode_hdr(std::string_view(text).substr(0, size))) << size;
  }
}

TEST(HdrDecoding, RefusesOtherLayouts) {
  const std::vector<std::uint8_t> right = plain(of({5}));
  const auto changed = [&right](std::size_t at, std::uint8_t value) {
    std::vector<std::uint8_t> bytes = right;
    bytes[at] = value;
    return why_not(bytes);
  };
  EXPECT_NE(changed(3, 0x14).find("no HdrHistogram V2"), std::string::npos);
  EXPECT_NE(changed(11, 1).find("shifted"), std::string::npos);
  EXPECT_NE(changed(15, 2).find("3 significant digits"), std::string::npos);
  EXPECT_NE(changed(23, 2).find("lowest value of 1"), std::string::npos);
  EXPECT_NE(changed(33, 0).find("scaled"), std::string::npos);
  EXPECT_NE(changed(4, 0xff).find("cut short"), std::string::npos);
}

TEST(HdrDecoding, RefusesCountsBeyondTheLastBucket) {
  // A count in the last bucket.
  EXPECT_EQ(why_not(with_counts({0xfd, 0x8f, 0x04, 0x02})), "it was read");
  EXPECT_NE(why_not(with_counts({0xff, 0x8f, 0x04, 0x02})).find("above 1 h"), std::string::npos);
  EXPECT_NE(why_not(with_counts({0x81, 0x90, 0x04, 0x02})).find("above 1 h"), std::string::npos);
  const std::vector<std::uint8_t> smallest(9, 0xff);  // the smallest number that can be encoded
  EXPECT_NE(why_not(with_counts(smallest)).find("above 1 h"), std::string::npos);
}

TEST(HdrDecoding, RefusesTotalsThatOverflow) {
  const std::vector<std::uint8_t> largest{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  EXPECT_EQ(why_not(with_counts(largest)), "it was read");
  std::vector<std::uint8_t> twice = largest;
  twice.insert(twice.end(), largest.begin(), largest.end());
  EXPECT_NE(why_not(with_counts(twice)).find("2^63"), std::string::npos);
}

}  // namespace
}  // namespace assay
