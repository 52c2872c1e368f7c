// Purpose: memory that begins on a page, touched before anything is timed.
//
//   PageBuffer buffer(10 << 20);   buffer.begin()
//
// Thread safety: one owner. Cost: pages are written when it is made.
#pragma once

#include <assay/system/page_allocator.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::os {

class PageBuffer {
 public:
  explicit PageBuffer(std::int64_t bytes)
      : bytes_(static_cast<std::size_t>(bytes < 1 ? 1 : bytes)) {
    std::fill(bytes_.begin(), bytes_.end(), '\1');
  }
  [[nodiscard]] char* begin() { return bytes_.data(); }
  [[nodiscard]] char* end() { return bytes_.data() + bytes_.size(); }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }

 private:
  std::vector<char, PageAllocator<char>> bytes_;
};

/// 64 MiB, more than any cache is assumed to hold.
inline constexpr std::int64_t out_of_cache_bytes = std::int64_t{64} << 20U;

}  // namespace assay::os
