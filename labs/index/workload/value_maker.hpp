// Purpose: values that hold the id of their record and a version, so that what is read can be
// checked.
//
//   ValueMaker values(options.value, seed, Body::whole);
//   const auto value = values.make(id, version);              // bytes, until the next make
//   const bool is_right = values.is_of(id, value.data()) && values.is_whole(id, value.data());
//
// A value begins with a tag of its record and the version that was written (4 bytes each, cut off
// in a shorter value). What follows is noise or, with Body::whole, computed from these two, so
// that a value mixed of two writes is recognised.
//
// Thread safety: one per thread. Cost: about 1 ns a value of any length with Body::noise, which
// is cut from 64 KB of noise, so that values repeat each other only after 1,000 of them; with
// Body::whole every byte is written.
#pragma once

#include <assay/index/options/options.hpp>
#include <assay/index/workload/decreasing_sampler.hpp>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace assay::index {

enum class Body : std::uint8_t { noise, whole };

class ValueMaker {
 public:
  ValueMaker(const ValueOptions& options, std::uint64_t seed, Body body);

  /// The size of a buffer that `find` can write into: the largest value, and spare room for
  /// plug-ins that write more.
  [[nodiscard]] std::size_t buffer_bytes() const { return largest_ + 1024; }

  std::span<const char> make(std::uint64_t id, std::uint32_t version) {
    const std::uint32_t size = spread_ == Spread::fixed ? largest_ : drawn_size(id, version);
    if (body_ == Body::whole) return make_whole(id, version, size);
    at_ = (at_ + std::size_t{64} * 37) & (noise_bytes - 1);
    char* const value = bytes_.data() + at_;
    const std::uint64_t head = std::uint64_t{version} << 32U | tag_of(id);
    std::memcpy(value, &head, sizeof head);
    return {value, size};
  }

  /// Whether the value begins with the record's tag, or with as much of the tag as fits.
  [[nodiscard]] bool is_of(std::uint64_t id, const char* value) const;

  /// The version that the value was written with; nothing if values are too short to hold one.
  [[nodiscard]] std::optional<std::uint32_t> version_of(const char* value) const;

  /// Whether the value is, byte by byte, what Body::whole writes for this record.
  [[nodiscard]] bool is_whole(std::uint64_t id, const char* value) const;

  [[nodiscard]] std::uint32_t size_of(std::uint64_t id, std::uint32_t version) const {
    return spread_ == Spread::fixed ? largest_ : drawn_size(id, version);
  }

 private:
  static constexpr std::size_t noise_bytes = std::size_t{64} * 1024;

  [[nodiscard]] std::uint32_t tag_of(std::uint64_t id) const {
    return static_cast<std::uint32_t>(((id ^ salt_) * 0x9fb21c651e98df25U) >> 32U);
  }
  [[nodiscard]] std::uint32_t drawn_size(std::uint64_t id, std::uint32_t version) const;
  std::span<const char> make_whole(std::uint64_t id, std::uint32_t version, std::uint32_t size);
  void write_whole(char* into, std::uint64_t id, std::uint32_t version, std::uint32_t size) const;
  [[nodiscard]] std::uint32_t smallest() const {
    return spread_ == Spread::fixed ? largest_ : smallest_;
  }

  std::uint32_t largest_;
  std::uint32_t smallest_;
  Spread spread_;
  std::uint64_t salt_;
  Body body_;
  std::optional<DecreasingSampler> sizes_{};
  std::vector<char> bytes_;
  mutable std::vector<char> expected_;
  std::size_t at_{0};
};

}  // namespace assay::index
