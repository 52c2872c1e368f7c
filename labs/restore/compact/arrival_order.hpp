// Purpose: recognises that the names of a directory arrive sorted; then the next in order must be
// new.
//
//   ArrivalOrder order;
//   order.follow("file9", "file10");    // true: by length, then by bytes
//   order.follow("file10", "file0");    // false, and as if it had not been asked
//
// For names that arrive sorted or numbered, forwards or backwards, no table is needed to find out
// whether one is there already.
// Thread safety: one thread. Cost: one comparison of two names.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::restore {

class ArrivalOrder {
 public:
  /// Whether `name` comes after `last` in some order (by bytes or by length, up or down) that all
  /// names so far followed.
  bool follow(std::string_view last, std::string_view name) {
    const int by_bytes = name.compare(last);
    const int by_length = name.size() == last.size()  ? by_bytes
                          : name.size() > last.size() ? 1
                                                      : -1;
    const unsigned now = (by_bytes > 0 ? bytes_up : 0U) | (by_bytes < 0 ? bytes_down : 0U) |
                         (by_length > 0 ? length_up : 0U) | (by_length < 0 ? length_down : 0U);
    const unsigned still = orders_ & now;
    if (still != 0) orders_ = static_cast<std::uint8_t>(still);
    return still != 0;
  }

 private:
  static constexpr unsigned bytes_up = 1;
  static constexpr unsigned bytes_down = 2;
  static constexpr unsigned length_up = 4;
  static constexpr unsigned length_down = 8;

  std::uint8_t orders_{bytes_up | bytes_down | length_up | length_down};
};

}  // namespace assay::restore
