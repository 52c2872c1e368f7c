#include <assay/index/workload/value_maker.hpp>

#include <algorithm>

namespace assay::index {
namespace {

constexpr double size_exponent = 0.99;  // of the Zipf distribution of sizes, with Spread::zipfian

}  // namespace

ValueMaker::ValueMaker(const ValueOptions& options, std::uint64_t seed, Body body)
    : largest_(options.size),
      smallest_(options.smallest),
      spread_(options.spread),
      salt_(FastRandom(seed).next()),
      body_(body),
      bytes_(noise_bytes + options.size + 16),
      expected_(options.size + 16) {
  FastRandom random(seed);
  for (char& byte : bytes_) byte = static_cast<char>(random.next());
  if (spread_ == Spread::zipfian) {
    sizes_ = DecreasingSampler::zipfian(largest_ - smallest_ + 1, size_exponent);
  }
}

/// The size of a value with random sizes. It follows from the record and the version, so that
/// whoever reads the value knows it.
std::uint32_t ValueMaker::drawn_size(std::uint64_t id, std::uint32_t version) const {
  FastRandom random(salt_ ^ (id * 0x9e3779b97f4a7c15U + version));
  const std::uint64_t above =
      sizes_ ? sizes_->draw(random) : share_of(random.next(), largest_ - smallest_ + 1).index;
  return smallest_ + static_cast<std::uint32_t>(above);
}

std::span<const char> ValueMaker::make_whole(std::uint64_t id, std::uint32_t version,
                                             std::uint32_t size) {
  write_whole(bytes_.data(), id, version, size);
  return {bytes_.data(), size};
}

void ValueMaker::write_whole(char* into, std::uint64_t id, std::uint32_t version,
                             std::uint32_t size) const {
  const std::uint64_t head = std::uint64_t{version} << 32U | tag_of(id);
  std::memcpy(into, &head, std::min<std::size_t>(size, sizeof head));
  FastRandom random(head);
  for (std::size_t at = sizeof head; at < size; at += sizeof head) {
    const std::uint64_t word = random.next();
    std::memcpy(into + at, &word, std::min<std::size_t>(size - at, sizeof word));
  }
}

bool ValueMaker::is_of(std::uint64_t id, const char* value) const {
  const std::uint32_t tag = tag_of(id);
  return std::memcmp(value, &tag, std::min<std::size_t>(smallest(), sizeof tag)) == 0;
}

std::optional<std::uint32_t> ValueMaker::version_of(const char* value) const {
  std::uint32_t version = 0;
  if (smallest() < 2 * sizeof version) return std::nullopt;
  std::memcpy(&version, value + sizeof version, sizeof version);
  return version;
}

bool ValueMaker::is_whole(std::uint64_t id, const char* value) const {
  const auto version = version_of(value);
  if (!version) return is_of(id, value);
  const std::uint32_t size = size_of(id, *version);
  write_whole(expected_.data(), id, *version, size);
  return std::memcmp(expected_.data(), value, size) == 0;
}

}  // namespace assay::index
