// Histograms as text, so that another implementation can be asked about them.
//
//   hdr_tool encode < lines of "value count"      prints base64
//   hdr_tool decode < base64                      prints lines of "highest value of bucket, count"
#include <assay/measure/latency/hdr_encoding.hpp>

#include <iostream>
#include <string>
#include <string_view>

namespace {

int encode() {
  assay::LatencyHistogram histogram;
  std::int64_t value = 0;
  for (std::uint64_t count = 0; std::cin >> value >> count;) {
    histogram.record(value);
    histogram.add(assay::LatencyHistogram::bucket_of(value), count - 1);
  }
  std::cout << assay::encode_hdr(histogram) << "\n";
  return 0;
}

int decode() {
  std::string text;
  std::cin >> text;
  const auto histogram = assay::decode_hdr(text);
  if (!histogram) {
    std::cerr << "error: " << histogram.error().line() << "\n";
    return 1;
  }
  for (std::size_t bucket = 0; bucket < assay::LatencyHistogram::buckets; ++bucket) {
    const std::uint64_t count = histogram->counts()[bucket];
    if (count == 0) continue;
    std::cout << assay::LatencyHistogram::highest_of(bucket) << " " << count << "\n";
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view verb = argc == 2 ? argv[1] : "";
  if (verb == "encode") return encode();
  if (verb == "decode") return decode();
  std::cerr << "usage: hdr_tool encode|decode\n";
  return 2;
}
