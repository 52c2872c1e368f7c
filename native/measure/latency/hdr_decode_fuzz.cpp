// libFuzzer target: no input may crash the decoder, and what it reads it must write again.
//
//   cmake --preset fuzz && cmake --build build/fuzz --target hdr_decode_fuzz
//   build/fuzz/tests/hdr_decode_fuzz -max_total_time=60
//
// Each input is tried three ways, so that neither base64 nor the checksum of the compressed
// part keeps the fuzzer out: as text, as the plain form, and as counts behind a right header.
#include <assay/measure/latency/hdr_encoding.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

void check(const assay::Result<assay::LatencyHistogram>& histogram) {
  if (!histogram) {
    if (histogram.error().what.empty()) std::abort();
    return;
  }
  const auto again = assay::decode_hdr(assay::encode_hdr(*histogram));
  if (!again || !std::ranges::equal(again->counts(), histogram->counts())) std::abort();
  if (again->max_ns() < again->quantile_ns(0.5)) std::abort();
}

std::vector<std::uint8_t> with_header(std::span<const std::uint8_t> counts) {
  static const std::string header = assay::encode_hdr_plain({});
  std::vector<std::uint8_t> bytes(header.begin(), header.end());
  for (std::size_t i = 0; i < 4; ++i) {
    bytes[4 + i] = static_cast<std::uint8_t>(counts.size() >> (24 - 8 * i));
  }
  bytes.insert(bytes.end(), counts.begin(), counts.end());
  return bytes;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): libFuzzer's name for it
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(data, size);
  check(assay::decode_hdr({reinterpret_cast<const char*>(data), size}));
  check(assay::decode_hdr_plain(bytes));
  check(assay::decode_hdr_plain(with_header(bytes)));
  return 0;
}
// NOLINTEND(readability-identifier-naming)
