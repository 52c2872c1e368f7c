// Purpose: keys from a file with one a line: line i is the key of record i.
//
//   auto keys = assay::index::KeyFile::read("words.txt", prefix);
//
// Lines may differ in length, 1 to 1,024 bytes with the prefix, and must differ from each other.
// Thread safety: immutable. Cost: the file in memory, 16 bytes a line beside it, and a sort to
// see that no line comes twice; before the measurement.
#pragma once

#include <assay/base/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::index {

class KeyFile {
 public:
  static Result<KeyFile> read(const std::string& path, const std::string& prefix);

  [[nodiscard]] std::uint64_t size() const { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](std::uint64_t id) const {
    const std::size_t from = id == 0 ? 0 : ends_[id - 1];
    return std::string_view(bytes_).substr(from, ends_[id] - from);
  }
  [[nodiscard]] std::uint32_t longest() const { return longest_; }
  [[nodiscard]] bool has_one_length() const { return longest_ == shortest_; }

 private:
  Result<KeyFile> checked(const std::string& path) &&;

  std::string bytes_{};
  std::vector<std::size_t> ends_{};
  std::uint32_t longest_{0};
  std::uint32_t shortest_{~0U};
};

}  // namespace assay::index
