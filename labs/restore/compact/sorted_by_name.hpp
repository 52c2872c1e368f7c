// Purpose: sorts things by name, comparing eight bytes at a time.
//
//   SortedByName<int> sorted;
//   sorted.add("b", 1);
//   sorted.add("a", 2);
//   std::move(sorted).values();   // {2, 1}
//
// Sorts by the bytes of the names, as strcmp does. The names must live until values() is called.
// Thread safety: one thread. Cost: names in one directory tend to begin alike, so what all
// begin with is skipped and the next eight bytes decide nearly every comparison.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::restore {

template <class Value>
class SortedByName {
 public:
  void reserve(std::size_t count) { named_.reserve(count); }

  void add(std::string_view name, Value value) {
    if (named_.empty()) common_ = name;
    common_ = common_.substr(0, length_in_common(name));
    named_.push_back({0, name, value});
  }

  std::vector<Value> values() && {
    for (Named& one : named_) one.key = key(one.name.substr(common_.size()));
    std::sort(named_.begin(), named_.end());
    std::vector<Value> sorted;
    sorted.reserve(named_.size());
    for (const Named& one : named_) sorted.push_back(one.value);
    return sorted;
  }

 private:
  struct Named {
    std::uint64_t key;
    std::string_view name;
    Value value;
    bool operator<(const Named& other) const {
      return key != other.key ? key < other.key : name < other.name;
    }
  };

  [[nodiscard]] std::size_t length_in_common(std::string_view name) const {
    const std::size_t most = std::min(name.size(), common_.size());
    std::size_t length = 0;
    while (length < most && name[length] == common_[length]) ++length;
    return length;
  }

  /// The first eight bytes as a big-endian number, so that numbers compare as the bytes do.
  static std::uint64_t key(std::string_view text) {
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      key = key << 8U | (i < text.size() ? static_cast<unsigned char>(text[i]) : 0U);
    }
    return key;
  }

  std::string_view common_{};
  std::vector<Named> named_{};
};

}  // namespace assay::restore
