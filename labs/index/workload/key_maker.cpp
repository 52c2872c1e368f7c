#include <assay/index/workload/key_maker.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace assay::index {
namespace {

constexpr std::size_t block_bytes = std::size_t{16} * 1024;  // half of a small L1 cache of 32 KB

/// The multiplicative inverse of an odd factor modulo 2^64, and so modulo any lower power of 2. By
/// Newton's method: an odd number agrees with its inverse in 3 bits, and each step doubles the
/// number of bits.
constexpr std::uint64_t inverse_of(std::uint64_t factor) {
  std::uint64_t inverse = factor;
  for (int i = 0; i < 5; ++i) inverse *= 2 - factor * inverse;
  return inverse;
}

}  // namespace

KeyMaker::KeyMaker(const KeyOptions& options, const KeyFile* file)
    : prefix_(options.prefix),
      number_bytes_(std::min(options.size, 8U)),
      bytes_(file != nullptr ? file->longest()
                             : static_cast<std::uint32_t>(options.prefix.size()) + options.size),
      is_hashed_(options.order == KeyOrder::hashed),
      file_(file) {}

std::uint64_t KeyMaker::count() const {
  if (file_ != nullptr) return file_->size();
  return number_bytes_ == 8 ? std::numeric_limits<std::uint64_t>::max()
                            : std::uint64_t{1} << 8U * number_bytes_;
}

std::uint64_t KeyMaker::id_of(const char* key) const {
  std::uint64_t number = 0;
  std::memcpy(&number, key + bytes_ - number_bytes_, number_bytes_);
  if (!is_hashed_) return __builtin_bswap64(number) >> (64 - 8 * number_bytes_);
  number ^= number >> 4U * number_bytes_;
  return (number * inverse_of(factor)) & (~std::uint64_t{0} >> (64 - 8 * number_bytes_));
}

KeyBlock::KeyBlock(const KeyMaker& maker)
    : maker_(maker),
      stride_((std::size_t{maker.bytes()} + 7U) / 8U * 8U),
      capacity_(std::clamp<std::size_t>(block_bytes / stride_, 16, most)),
      bytes_(capacity_ * stride_ + 8),
      sizes_(capacity_, maker.bytes()) {
  for (std::size_t i = 0; i < capacity_; ++i) {
    std::memcpy(bytes_.data() + i * stride_, maker.prefix().data(),
                maker.file() == nullptr ? maker.prefix().size() : 0);
  }
}

void KeyBlock::write(std::span<const std::uint64_t> ids) {
  if (maker_.file() != nullptr) return copy_from_file(ids);
  switch (maker_.number_bytes()) {
    case 1:
      return write_numbers<1>(ids);
    case 2:
      return write_numbers<2>(ids);
    case 3:
      return write_numbers<3>(ids);
    case 4:
      return write_numbers<4>(ids);
    case 5:
      return write_numbers<5>(ids);
    case 6:
      return write_numbers<6>(ids);
    case 7:
      return write_numbers<7>(ids);
    default:
      return write_numbers<8>(ids);
  }
}

template <std::size_t Bytes>
void KeyBlock::write_numbers(std::span<const std::uint64_t> ids) {
  if (maker_.is_hashed()) {
    return write_each<Bytes>(ids, [](std::uint64_t id) { return KeyMaker::scattered<Bytes>(id); });
  }
  write_each<Bytes>(ids,
                    [](std::uint64_t id) { return __builtin_bswap64(id) >> (64 - Bytes * 8); });
}

template <std::size_t Bytes, class NumberOf>
void KeyBlock::write_each(std::span<const std::uint64_t> ids, const NumberOf& number_of) {
  const std::size_t stride = stride_;
  char* at = bytes_.data() + maker_.bytes() - Bytes;
  for (const std::uint64_t id : ids) {
    const std::uint64_t number = number_of(id);
    std::memcpy(at, &number, Bytes);
    at += stride;
  }
}

void KeyBlock::copy_from_file(std::span<const std::uint64_t> ids) {
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string_view key = (*maker_.file())[ids[i]];
    std::memcpy(bytes_.data() + i * stride_, key.data(), key.size());
    sizes_[i] = static_cast<std::uint32_t>(key.size());
  }
}

}  // namespace assay::index
