// Purpose: checks what a scan gave: as many records as it returned, in order, from the key asked
// for.
//
//   ScanCheck check(keys, values, value_bytes, results.main().scan_orders);
//   if (auto lie = check.wrong_order({.start = key, .records = 100}, records, count)) fail(*lie);
//
// Records must ascend in one of the orders of scan_order.hpp, and in the same one in all scans of
// a run: the scans share the set of orders that are still possible. The message names the keys
// that were seen and, where the bytes are no records of key and value, what they seem to be.
//
// Thread safety: one per thread. Cost: about 2 ns a record, outside of the timed operation.
#pragma once

#include <assay/index/check/scan_order.hpp>
#include <assay/index/workload/key_maker.hpp>
#include <assay/index/workload/value_maker.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace assay::index {

class ScanCheck {
 public:
  ScanCheck(const KeyMaker& keys, const ValueMaker& values, std::size_t value_bytes,
            std::atomic<ScanOrders>& orders)
      : keys_(keys), values_(values), value_bytes_(value_bytes), orders_(orders) {}

  struct ScanRequest {
    const char* start;
    int records;
  };

  /// What is wrong with the number of records that a scan returned; nothing if it is possible.
  static std::optional<std::string> wrong_count(const ScanRequest& asked, int given);

  /// What is wrong with the records or their order; nothing if they are right.
  std::optional<std::string> wrong_order(const ScanRequest& asked, const char* records, int given);

  /// A key as hexadecimal digits; "..." stands for the middle of a long one.
  [[nodiscard]] std::string text_of(const char* key) const;

 private:
  struct Scan {
    const ScanRequest& asked;
    const char* records;
    int given;
  };

  [[nodiscard]] std::size_t record_bytes() const { return keys_.bytes() + value_bytes_; }
  [[nodiscard]] const char* key(const Scan& scan, int at) const;
  [[nodiscard]] ScanOrders left_after(ScanOrders orders, const Scan& scan, int at) const;
  [[nodiscard]] bool can_tell_keys() const;
  [[nodiscard]] bool is_key(const char* bytes) const;
  [[nodiscard]] bool is_reversed_key(const char* bytes) const;
  [[nodiscard]] std::string order_error_text(ScanOrders before, const Scan& scan, int at) const;
  [[nodiscard]] std::string disorder_text(ScanOrders before, const Scan& scan, int at) const;
  [[nodiscard]] std::string other_layout(const Scan& scan) const;
  [[nodiscard]] std::optional<std::size_t> other_distance(const Scan& scan) const;

  const KeyMaker& keys_;
  const ValueMaker& values_;
  std::size_t value_bytes_;
  std::atomic<ScanOrders>& orders_;
};

}  // namespace assay::index
