// Purpose: whether a scan gave what it says: so many records, in order, from the key asked for.
//
//   ScanCheck check(key_bytes, value_bytes);
//   if (auto lie = check.of({.start = key, .asked = 100}, records, count)) fail(*lie);
//
// Records must ascend byte by byte, or as the little-endian numbers that a plug-in may take
// keys for; whichever it is must hold for all scans.
//
// Thread safety: one per thread. Cost: about 2 ns a record, outside of the latency.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace assay::index {

class ScanCheck {
 public:
  ScanCheck(std::size_t key_bytes, std::size_t value_bytes)
      : key_bytes_(key_bytes), record_bytes_(key_bytes + value_bytes) {}

  struct Asked {
    const char* start;
    int records;
  };

  /// What is wrong with the number alone.
  static std::optional<std::string> wrong_count(const Asked& asked, int given);

  /// What is wrong with the records.
  std::optional<std::string> wrong_order(const Asked& asked, const char* records, int given);

 private:
  [[nodiscard]] unsigned orders_of(const char* low, const char* high, bool may_be_equal) const;

  std::size_t key_bytes_;
  std::size_t record_bytes_;
  unsigned orders_{3};  // those that all scans so far agree with: bytewise, little-endian
};

}  // namespace assay::index
