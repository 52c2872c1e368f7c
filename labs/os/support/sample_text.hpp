// Purpose: a string of a given size that begins on a cache line, or so many bytes after one.
//
//   const SampleText text(100, 1);   std::strlen(text.begin()) == 100
//
// Thread safety: one owner. Cost: made before measuring, and touched whole.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace assay::os {

class SampleText {
 public:
  SampleText(std::int64_t size, std::size_t shift)
      : memory_(static_cast<char*>(std::aligned_alloc(line, rounded(size, shift)))),
        begin_(memory_.get() + shift) {
    constexpr std::string_view words = "The quick brown fox jumps over the lazy dog.";
    for (std::int64_t i = 0; i < size; ++i) {
      begin_[i] = words[static_cast<std::size_t>(i) % words.size()];
    }
    begin_[size] = '\0';
  }

  [[nodiscard]] char* begin() { return begin_; }
  [[nodiscard]] const char* begin() const { return begin_; }

 private:
  static constexpr std::size_t line = 64;
  static std::size_t rounded(std::int64_t size, std::size_t shift) {
    return (static_cast<std::size_t>(size) + shift + line) / line * line;
  }
  struct Free {
    void operator()(char* memory) const { std::free(memory); }  // NOLINT: of aligned_alloc
  };

  std::unique_ptr<char, Free> memory_;
  char* begin_;
};

}  // namespace assay::os
