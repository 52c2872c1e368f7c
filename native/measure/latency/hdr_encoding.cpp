#include <assay/measure/latency/hdr_encoding.hpp>

#include <assay/measure/latency/base64.hpp>

#include <zlib.h>

#include <bit>
#include <limits>
#include <optional>
#include <vector>

namespace assay {
namespace {

using Bytes = std::span<const std::uint8_t>;

constexpr std::uint32_t cookie_plain = 0x1c849303;
constexpr std::uint32_t cookie_compressed = 0x1c849304;
constexpr std::uint32_t word_size = 0x10;       // bits of the cookie that every V2 writer sets
constexpr std::uint32_t word_size_bits = 0xf0;  // bits of the cookie that readers ignore
constexpr std::size_t header_bytes = 40;
constexpr std::size_t longest_number = 9;
constexpr std::size_t largest_plain = header_bytes + LatencyHistogram::buckets * longest_number;
constexpr std::uint64_t largest_total = std::numeric_limits<std::int64_t>::max();

Error decoding_error(std::string what) {
  return {.what = "histogram: " + std::move(what), .hint = "measure again"};
}

// ---- numbers ---------------------------------------------------------------------------

void put_big_endian(std::string& to, std::uint64_t value, int bytes) {
  for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
    to += static_cast<char>(value >> static_cast<unsigned>(shift));
  }
}

/// Appends a number as ZigZag LEB128 in HdrHistogram's variant: at most nine bytes, the ninth with
/// 8 bits.
void put_number(std::string& to, std::int64_t number) {
  const auto sign = static_cast<std::uint64_t>(number < 0 ? -1 : 0);
  std::uint64_t rest = (static_cast<std::uint64_t>(number) << 1U) ^ sign;
  for (std::size_t i = 1; i < longest_number && rest > 0x7f; ++i) {
    to += static_cast<char>(rest | 0x80U);
    rest >>= 7U;
  }
  to += static_cast<char>(rest);
}

/// Reads numbers from the front of the bytes. Where these end too soon, failed() is true.
class Reader {
 public:
  explicit Reader(Bytes bytes) : bytes_(bytes) {}

  [[nodiscard]] bool at_end() const { return bytes_.empty(); }
  [[nodiscard]] Bytes rest() const { return bytes_; }

  std::uint8_t byte() {
    if (bytes_.empty()) {
      failed_ = true;
      return 0;
    }
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }

  std::uint64_t big_endian(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8U | byte();
    return value;
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(big_endian(4)); }

  std::int64_t number() {
    std::uint64_t value = 0;
    for (std::size_t place = 0; place < longest_number; ++place) {
      const std::uint64_t next = byte();
      const bool is_last = place + 1 == longest_number || next < 0x80;
      const bool is_whole = place + 1 == longest_number;
      value |= (is_whole ? next : next & 0x7fU) << (7 * place);
      if (is_last) break;
    }
    return static_cast<std::int64_t>((value >> 1U) ^ (0 - (value & 1U)));
  }

  [[nodiscard]] bool failed() const { return failed_; }

 private:
  Bytes bytes_;
  bool failed_{false};
};

// ---- counts ----------------------------------------------------------------------------

/// Each bucket's count; a run of n empty buckets as -n (a single one as 0); none after the last
/// count.
std::string encoded_counts(std::span<const std::uint64_t> counts) {
  std::string text;
  std::int64_t empty = 0;
  for (const std::uint64_t count : counts) {
    if (count == 0) {
      ++empty;
      continue;
    }
    if (empty == 1) put_number(text, 0);
    if (empty > 1) put_number(text, -empty);
    empty = 0;
    put_number(text, static_cast<std::int64_t>(std::min(count, largest_total)));
  }
  return text;
}

struct Count {
  std::size_t bucket{0};
  std::uint64_t count{0};
};

/// The counts that are not 0. Never more than there are buckets, so that a damaged text cannot use
/// much memory.
Result<std::vector<Count>> decoded_counts(Reader reader) {
  std::vector<Count> counts;
  std::uint64_t bucket = 0;
  std::uint64_t total = 0;
  while (!reader.at_end()) {
    const std::int64_t number = reader.number();
    if (reader.failed()) return decoding_error("a count is cut short");
    const auto step = number < 0 ? 0 - static_cast<std::uint64_t>(number) : 1;
    if (step > LatencyHistogram::buckets - bucket) return decoding_error("a value is above 1 h");
    if (number > 0) {
      total += static_cast<std::uint64_t>(number);
      if (total > largest_total) return decoding_error("it holds more than 2^63 values");
      counts.push_back({static_cast<std::size_t>(bucket), static_cast<std::uint64_t>(number)});
    }
    bucket += step;
  }
  return counts;
}

// ---- the header ------------------------------------------------------------------------

/// Whether the header is of a histogram that can be read. Leaves the reader at the first count.
Status check_header(Reader& reader, std::uint32_t& payload_bytes) {
  const std::uint32_t cookie = reader.word();
  payload_bytes = reader.word();
  const std::uint32_t offset = reader.word();
  const std::uint32_t digits = reader.word();
  const std::uint64_t lowest = reader.big_endian(8);
  reader.big_endian(8);  // the highest trackable value is not needed
  const auto ratio = std::bit_cast<double>(reader.big_endian(8));
  if (reader.failed()) return decoding_error("the header is cut short");
  if ((cookie & ~word_size_bits) != cookie_plain)
    return decoding_error("this is no HdrHistogram V2");
  if (digits != LatencyHistogram::significant_digits || lowest != 1) {
    return decoding_error("only a lowest value of 1 and 3 significant digits can be read");
  }
  if (offset != 0 || ratio != 1.0) return decoding_error("shifted and scaled ones cannot be read");
  if (payload_bytes > reader.rest().size()) return decoding_error("the counts are cut short");
  return {};
}

// ---- compression -----------------------------------------------------------------------

std::string deflated(const std::string& plain) {
  auto size = compressBound(plain.size());
  std::string packed(size, '\0');
  // Fails only without memory, or when the buffer is smaller than what compressBound says.
  const int status =
      compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(plain.data()), plain.size(), Z_DEFAULT_COMPRESSION);
  if (status != Z_OK) throw std::bad_alloc();
  packed.resize(size);
  return packed;
}

Result<std::vector<std::uint8_t>> inflated(Bytes packed) {
  std::vector<std::uint8_t> plain(largest_plain);
  uLongf size = plain.size();
  const int status = uncompress(plain.data(), &size, packed.data(), packed.size());
  if (status == Z_BUF_ERROR) return decoding_error("the compressed part is cut short or too long");
  if (status != Z_OK) return decoding_error("the compressed part is damaged");
  plain.resize(size);
  return plain;
}

}  // namespace

std::string encode_hdr_plain(const LatencyHistogram& histogram) {
  const std::string counts = encoded_counts(histogram.counts());
  std::string text;
  put_big_endian(text, cookie_plain | word_size, 4);
  put_big_endian(text, counts.size(), 4);
  put_big_endian(text, 0, 4);  // normalizing index offset
  put_big_endian(text, LatencyHistogram::significant_digits, 4);
  put_big_endian(text, LatencyHistogram::lowest_ns, 8);
  put_big_endian(text, LatencyHistogram::highest_ns, 8);
  put_big_endian(text, std::bit_cast<std::uint64_t>(1.0), 8);  // integer to double ratio
  return text + counts;
}

std::string encode_hdr(const LatencyHistogram& histogram) {
  const std::string packed = deflated(encode_hdr_plain(histogram));
  std::string text;
  put_big_endian(text, cookie_compressed | word_size, 4);
  put_big_endian(text, packed.size(), 4);
  return to_base64(text + packed);
}

Result<LatencyHistogram> decode_hdr_plain(std::span<const std::uint8_t> bytes) {
  Reader reader(bytes);
  std::uint32_t payload_bytes = 0;
  if (const Status done = check_header(reader, payload_bytes); !done) return done.error();
  const auto counts = decoded_counts(Reader(reader.rest().first(payload_bytes)));
  if (!counts) return counts.error();
  LatencyHistogram histogram;
  for (const Count& each : *counts) histogram.add(each.bucket, each.count);
  return histogram;
}

Result<LatencyHistogram> decode_hdr(std::string_view base64) {
  const auto bytes = from_base64(base64);
  if (!bytes) return decoding_error("this is no base64");
  Reader reader(*bytes);
  const std::uint32_t cookie = reader.word();
  const std::uint32_t packed_bytes = reader.word();
  if (reader.failed()) return decoding_error("it is cut short");
  if ((cookie & ~word_size_bits) != cookie_compressed) {
    return decoding_error("this is no compressed HdrHistogram V2");
  }
  if (packed_bytes > reader.rest().size())
    return decoding_error("the compressed part is cut short");
  const auto plain = inflated(reader.rest().first(packed_bytes));
  if (!plain) return plain.error();
  return decode_hdr_plain(*plain);
}

}  // namespace assay
