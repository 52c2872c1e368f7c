// Purpose: stores names one after the other, each preceded by a byte with its length.
//
//   NameArena names;
//   names.begin_group();               // the next 64 names lie within 16 KiB
//   const char* kept = names.add("a");
//   NameArena::read(kept);             // "a"
//
// Names never move. Thread safety: one thread. Cost: the name's bytes and one more.
#pragma once

#include <assay/restore/compact/memory_region.hpp>

#include <cstddef>
#include <cstring>
#include <string_view>

namespace assay::restore {

class NameArena {
 public:
  static constexpr std::size_t group_bytes = std::size_t{64} * 256;

  const char* begin_group() {
    if (static_cast<std::size_t>(end_ - next_) < group_bytes) grow();
    return next_;
  }

  /// Adds a name of at most 255 bytes. At most 64 may be added between calls of begin_group().
  const char* add(std::string_view name) {
    char* const kept = next_;
    *next_++ = static_cast<char>(static_cast<unsigned char>(name.size()));
    if (!name.empty()) std::memcpy(next_, name.data(), name.size());
    next_ += name.size();
    return kept;
  }

  static std::string_view read(const char* kept) {
    return {kept + 1, static_cast<unsigned char>(*kept)};
  }

  [[nodiscard]] std::size_t memory_bytes() const { return region_.memory_bytes(); }

 private:
  void grow() {
    constexpr std::size_t chunk_bytes = 6 * group_bytes;
    next_ = static_cast<char*>(region_.take(chunk_bytes));
    end_ = next_ + chunk_bytes;
  }

  MemoryRegion region_{};
  char* next_{nullptr};
  char* end_{nullptr};
};

}  // namespace assay::restore
