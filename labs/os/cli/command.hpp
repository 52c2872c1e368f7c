// Purpose: one command line of assay-os, parsed: which case, with which options, and how much to
// measure. Options that only say how results are shown are parsed too, for `assay os`.
//
//   const Result<Command> command = parse_command({"exec", "-E", "-C", "100", "-N", "exec"});
//
// Letters are libMicro's and may be joined (-ELS); a case's own options also go by name
// (--size 10k).
//
// Thread safety: pure. Cost: none to the measurement.
#pragma once

#include <assay/base/result.hpp>
#include <assay/os/harness/case.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::os {

enum class Switch : std::uint8_t { off, on };

struct Command {
  Case what;
  Setting setting;
  std::vector<std::string> words{};  // as written; for -L

  // Options that libMicro has.
  Switch one_process{Switch::off};     // -1
  Switch align{Switch::off};           // -A
  std::int64_t batch{0};               // -B
  std::int64_t samples{100};           // -C, of each thread
  double longest_s{5};                 // -D
  Switch echo{Switch::off};            // -E
  Switch no_header{Switch::off};       // -H
  Switch show_arguments{Switch::off};  // -L
  Switch mean{Switch::off};            // -M
  std::string name{};                  // -N
  Switch statistics{Switch::off};      // -S

  // Options of our own.
  std::int64_t launches{6};
  Switch effort_given{Switch::off};  // on: -C, -D or --launches was given
  std::string pin{"each"};           // each | none | a CPU's number
  Switch subtract_loop{Switch::off};
  std::string json{"-"};  // a file, or - for standard output
  std::string dir{};
};

/// Parses the words: the case's name, then its options. An Error says what is wrong and where to
/// look.
Result<Command> parse_command(const std::vector<std::string>& words);

/// The words as written, without --json: where the output goes is no part of what is measured.
std::string shown_words(const Command& command);

/// The help text: the options of a case, then those that every case has.
std::string usage_of(const Case& what);

inline bool on(Switch value) {
  return value == Switch::on;
}

}  // namespace assay::os
