// Purpose: where a scan puts its records, one after the other, key then value.
//
//   ScanBuffer& found = ScanBuffer::of_this_thread();
//   found.append(key, key_size); found.append(value, value_size);
//   values_out = found.data();
//
// Thread safety: one per thread; what it holds stays until that thread's next scan.
// Cost: a copy of every record; memory only while it grows.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace assay::index {

class ScanBuffer {
 public:
  /// The calling thread's buffer, emptied.
  static ScanBuffer& of_this_thread() {
    thread_local ScanBuffer buffer;
    buffer.bytes_.clear();
    return buffer;
  }

  void append(std::string_view bytes) { bytes_.append(bytes); }
  void append(const char* bytes, std::size_t size) { bytes_.append(bytes, size); }
  char* data() { return bytes_.data(); }

 private:
  std::string bytes_;
};

}  // namespace assay::index
