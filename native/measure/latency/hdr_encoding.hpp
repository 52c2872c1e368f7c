// Purpose: a LatencyHistogram as text: HdrHistogram V2, compressed, base64, and back.
//
//   const std::string text = assay::encode_hdr(histogram);
//   assay::Result<assay::LatencyHistogram> again = assay::decode_hdr(text);
//
// It is the text that HdrHistogram's libraries write and read (their `encode`/`decode`). Decoding
// needs the layout of LatencyHistogram: lowest value 1, 3 digits. How many values were clamped is
// not part of the format.
//
// Units: nanoseconds. Errors: decoding takes any input; what it cannot read is an Error, and no
// input makes it use more memory than one histogram.
//
// Thread safety: pure. Cost: about 0.3 ms to encode, after measuring, outside any timed loop.
#pragma once

#include <assay/base/result.hpp>
#include <assay/measure/latency/latency_histogram.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace assay {

std::string encode_hdr(const LatencyHistogram& histogram);

Result<LatencyHistogram> decode_hdr(std::string_view base64);

/// The form before compression and base64: header and counts.
std::string encode_hdr_plain(const LatencyHistogram& histogram);
Result<LatencyHistogram> decode_hdr_plain(std::span<const std::uint8_t> bytes);

}  // namespace assay
