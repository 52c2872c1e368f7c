// Purpose: declares an option of a case once: parsing, help and tables are made from it.
//
//   const std::vector<Option> options{number('s', "size", "100", "bytes"),
//                                     flag('n', "unaligned", "off by one byte")};
//
// Thread safety: values. Cost: none; options are read before anything is measured.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::os {

struct Option {
  enum class Kind : std::uint8_t { flag, number, text };

  char letter{};            // as libMicro spells it: -s 10k
  std::string_view name{};  // as benchmarks are named: os/strlen/size:10k, --size 10k
  Kind kind{Kind::flag};
  std::string_view preset{};  // its value when not given; a flag is off
  std::string_view help{};
};

/// On or off.
constexpr Option flag(char letter, std::string_view name, std::string_view help) {
  return {letter, name, Option::Kind::flag, "", help};
}

/// A whole number, or a size: 10k is 10240, m and g likewise. May be given several times.
constexpr Option number(char letter, std::string_view name, std::string_view preset,
                        std::string_view help) {
  return {letter, name, Option::Kind::number, preset, help};
}

/// Any text. One that begins with @ names a file of the run's own: see scratch.hpp.
constexpr Option text(char letter, std::string_view name, std::string_view preset,
                      std::string_view help) {
  return {letter, name, Option::Kind::text, preset, help};
}

}  // namespace assay::os
