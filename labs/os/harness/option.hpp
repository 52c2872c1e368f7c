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

  char letter{};  // the letter in libMicro: -s 10k
  // The name in benchmarks' names and long options: os/strlen/size:10k, --size 10k.
  std::string_view name{};
  Kind kind{Kind::flag};
  std::string_view preset{};  // default value; of a flag: off
  std::string_view help{};
};

/// An option without a value: off unless given.
constexpr Option flag(char letter, std::string_view name, std::string_view help) {
  return {letter, name, Option::Kind::flag, "", help};
}

/// An option that takes a whole number, or a size: 10k is 10240; m and g are 1024 k and 1024 m. May
/// be given several times.
constexpr Option number(char letter, std::string_view name, std::string_view preset,
                        std::string_view help) {
  return {letter, name, Option::Kind::number, preset, help};
}

/// An option that takes a text. One that begins with @ names a file that the run makes: see
/// scratch.hpp.
constexpr Option text(char letter, std::string_view name, std::string_view preset,
                      std::string_view help) {
  return {letter, name, Option::Kind::text, preset, help};
}

}  // namespace assay::os
