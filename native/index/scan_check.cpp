#include <assay/index/scan_check.hpp>

#include <cstring>

namespace assay::index {
namespace {

constexpr unsigned bytewise = 1;
constexpr unsigned little_endian = 2;

int compare_little_endian(const char* one, const char* other, std::size_t bytes) {
  for (std::size_t i = bytes; i-- > 0;) {
    const auto a = static_cast<unsigned char>(one[i]);
    const auto b = static_cast<unsigned char>(other[i]);
    if (a != b) return a < b ? -1 : 1;
  }
  return 0;
}

}  // namespace

std::optional<std::string> ScanCheck::wrong_count(const Asked& asked, int given) {
  if (given >= 0 && given <= asked.records) return std::nullopt;
  return "scan returned " + std::to_string(given) + " records, " + std::to_string(asked.records) +
         " were asked for";
}

unsigned ScanCheck::orders_of(const char* low, const char* high, bool may_be_equal) const {
  const int bytes = std::memcmp(low, high, key_bytes_);
  const int numbers = compare_little_endian(low, high, key_bytes_);
  const auto ascends = [&](int compared) {
    return compared < 0 || (may_be_equal && compared == 0);
  };
  return (ascends(bytes) ? bytewise : 0U) | (ascends(numbers) ? little_endian : 0U);
}

std::optional<std::string> ScanCheck::wrong_order(const Asked& asked, const char* records,
                                                  int given) {
  const char* before = asked.start;
  for (int i = 0; i < given; ++i) {
    const char* const key = records + static_cast<std::size_t>(i) * record_bytes_;
    orders_ &= orders_of(before, key, i == 0);
    if (orders_ == 0) {
      return "scan gave records out of order: number " + std::to_string(i + 1) + " of " +
             std::to_string(given) +
             (i == 0 ? " is before the key asked for" : " is not above the one before");
    }
    before = key;
  }
  return std::nullopt;
}

}  // namespace assay::index
