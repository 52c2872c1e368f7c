#include <assay/index/check/scan_check.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace assay::index {
namespace {

// Longest key, in bytes, that a message shows whole; of a longer one the middle is left out.
constexpr std::size_t longest_shown = 24;
constexpr std::size_t shown_of_long = 8;  // bytes shown at each end of a longer key
constexpr std::uint32_t telling_bytes = 6;
constexpr std::uint64_t most_records = std::uint64_t{1} << 40U;
constexpr std::size_t most_looked_at = 4;  // records at an assumed distance that are checked
constexpr const char* way_out = "; without --verify, --check_scans false measures it all the same";

std::string hex(const char* bytes, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    std::array<char, 3> digits{};
    std::snprintf(digits.data(), digits.size(), "%02x", static_cast<unsigned char>(bytes[i]));
    text += digits.data();
  }
  return text;
}

}  // namespace

std::optional<std::string> ScanCheck::wrong_count(const ScanRequest& asked, int given) {
  if (given >= 0 && given <= asked.records) return std::nullopt;
  return "scan returned " + std::to_string(given) + " records, " + std::to_string(asked.records) +
         " were asked for";
}

std::optional<std::string> ScanCheck::wrong_order(const ScanRequest& asked, const char* records,
                                                  int given) {
  const Scan scan{.asked = asked, .records = records, .given = given};
  const ScanOrders before = orders_.load(std::memory_order_relaxed);
  ScanOrders left = before;
  for (int at = 0; at < given; ++at) {
    const ScanOrders now = left_after(left, scan, at);
    if (now == 0) return order_error_text(left, scan, at);
    left = now;
  }
  if (left == before) return std::nullopt;
  const ScanOrders others = orders_.fetch_and(left);
  if ((others & left) != 0) return std::nullopt;
  return "a scan from key " + text_of(asked.start) + " was in the order of " +
         std::string(name_of_order(left)) + ", another thread's in that of " +
         std::string(name_of_order(others));
}

std::string ScanCheck::text_of(const char* key) const {
  const std::size_t bytes = keys_.bytes();
  if (bytes <= longest_shown) return hex(key, bytes);
  return hex(key, shown_of_long) + "..." + hex(key + bytes - shown_of_long, shown_of_long);
}

const char* ScanCheck::key(const Scan& scan, int at) const {
  return scan.records + static_cast<std::size_t>(at) * record_bytes();
}

/// The orders of `orders` in which record number `at` is above the one before it. The first record
/// is compared with the key that the scan started from, and may have that key.
ScanOrders ScanCheck::left_after(ScanOrders orders, const Scan& scan, int at) const {
  const char* const low = at == 0 ? scan.asked.start : key(scan, at - 1);
  const char* const high = key(scan, at);
  if (at == 0 && std::memcmp(low, high, keys_.bytes()) == 0) return orders;
  return ascending(orders, {.low = low, .high = high, .bytes = keys_.bytes()});
}

std::string ScanCheck::order_error_text(ScanOrders before, const Scan& scan, int at) const {
  const std::string layout = other_layout(scan);
  const std::string of =
      ": of " + std::to_string(scan.given) + " from key " + text_of(scan.asked.start) + ", ";
  if (!layout.empty()) return "scan gave no records of key and value" + of + layout + way_out;
  return "scan gave records out of order" + of + disorder_text(before, scan, at) + way_out;
}

std::string ScanCheck::disorder_text(ScanOrders before, const Scan& scan, int at) const {
  const char* const low = at == 0 ? scan.asked.start : key(scan, at - 1);
  std::string text = "number " + std::to_string(at + 1) + " has key " + text_of(key(scan, at));
  if (at > 0 && std::memcmp(low, key(scan, at), keys_.bytes()) == 0) {
    return text + ", and so has the one before";
  }
  text += at == 0 ? ", which is below that" : ", which is below the one before, " + text_of(low);
  const ScanOrders alone = left_after(every_scan_order, scan, at);
  if (alone == 0) return text + ", as bytes and as numbers of either byte order";
  return text + ", in the order of " + std::string(name_of_order(before)) + " that scans had";
}

/// Whether bytes that are no key of this run can be recognised. They cannot where keys are short or
/// from a file, because then any bytes may be a key.
bool ScanCheck::can_tell_keys() const {
  return keys_.file() == nullptr && keys_.number_bytes() >= telling_bytes;
}

bool ScanCheck::is_key(const char* bytes) const {
  const std::string& prefix = keys_.prefix();
  const char* const number = bytes + keys_.bytes() - keys_.number_bytes();
  return std::memcmp(bytes, prefix.data(), prefix.size()) == 0 &&
         std::all_of(bytes + prefix.size(), number, [](char byte) { return byte == 0; }) &&
         keys_.id_of(bytes) < most_records;
}

bool ScanCheck::is_reversed_key(const char* bytes) const {
  std::string turned(bytes, keys_.bytes());
  std::reverse(turned.begin(), turned.end());
  return is_key(turned.data());
}

/// What the bytes seem to be, for a message; empty if they are records of key and value, or it
/// cannot be told.
std::string ScanCheck::other_layout(const Scan& scan) const {
  if (!can_tell_keys()) return "";
  if (is_key(scan.records)) {
    const auto distance = other_distance(scan);
    if (!distance) return "";
    return "keys lie " + std::to_string(*distance) + " bytes apart, as for values of " +
           std::to_string(*distance - keys_.bytes()) + ", where --value_size is " +
           std::to_string(value_bytes_);
  }
  const bool is_value =
      is_key(scan.asked.start) && values_.is_of(keys_.id_of(scan.asked.start), scan.records);
  return "number 1 begins " + text_of(scan.records) +
         (is_value ? ", which is the value of that key: the plug-in gives values without their keys"
          : is_reversed_key(scan.records)
              ? ", which is a key of this run with its bytes in reverse: it has to be as it was "
                "inserted"
              : ", which is no key of this run: a record is a key and then its value");
}

/// The distance between keys in bytes, if it is not that of records of key and value; else nothing.
/// Reads only as far as such records would reach, because the plug-in's memory may end there.
std::optional<std::size_t> ScanCheck::other_distance(const Scan& scan) const {
  const std::size_t bytes = record_bytes() * static_cast<std::size_t>(scan.given);
  const auto fits = [&](std::size_t distance) {
    for (std::size_t at = 1; at < most_looked_at; ++at) {
      if (at * distance + keys_.bytes() > bytes || !is_key(scan.records + at * distance)) {
        return false;
      }
    }
    return true;
  };
  if (fits(record_bytes())) return std::nullopt;
  for (std::size_t distance = keys_.bytes(); distance <= bytes / most_looked_at + 1; ++distance) {
    if (fits(distance)) return distance;
  }
  return std::nullopt;
}

}  // namespace assay::index
