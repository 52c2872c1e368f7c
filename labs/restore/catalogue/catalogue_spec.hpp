// Purpose: describes a made-up backup: its shape, the order of its names, its size, its seed.
//
//   const CatalogueSpec spec{.shape = Shape::home, .files = 1'000'000};
//
// Thread safety: values. Cost: none.
#pragma once

#include <cstdint>
#include <string_view>

namespace assay::restore {

enum class Shape : std::uint8_t {
  nested,  // as in the Bareos benchmark: 30 nested directories with equally many files
  home,    // few files in each of many directories, long names, UTF-8
  mail,    // thousands of messages in each folder, names of 50 characters
  source,  // many small directories, names of some 12 characters
};

/// The order in which the names of one directory come. Directories come one after the other.
enum class NameOrder : std::uint8_t { numeric, shuffled, reversed };

struct CatalogueSpec {
  Shape shape{Shape::nested};
  NameOrder order{NameOrder::numeric};
  std::uint64_t files{0};
  std::uint64_t seed{1729};
};

constexpr std::string_view name_of(Shape shape) {
  switch (shape) {
    case Shape::nested:
      return "nested";
    case Shape::home:
      return "home";
    case Shape::mail:
      return "mail";
    case Shape::source:
      break;
  }
  return "source";
}

constexpr std::string_view name_of(NameOrder order) {
  switch (order) {
    case NameOrder::numeric:
      return "numeric";
    case NameOrder::shuffled:
      return "shuffled";
    case NameOrder::reversed:
      break;
  }
  return "reversed";
}

}  // namespace assay::restore
