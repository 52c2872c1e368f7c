// Purpose: the command line of assay-launch, parsed once into an immutable struct.
//
//   const std::vector<std::string_view> words{"--cpu", "1", "--", "./server", "--once"};
//   const assay::Result<assay::LaunchOptions> options = assay::parse_launch_options(words);
//
// Thread safety: pure. Cost: none to the measurement; it happens before the clock starts.
#pragma once

#include <assay/base/result.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

struct LaunchOptions {
  std::optional<int> cpu{};         // pin to this CPU
  std::optional<int> report_fd{};   // write the report here; else to stderr
  std::optional<int> parent_pid{};  // give up unless this is still our parent
  std::optional<int> serve_fd{};    // serve requests from this socket; else run `command` once
  std::optional<int> pid_fd{};      // while serving, keep the program's process id in this file
  std::vector<std::string> command{};
};

Result<LaunchOptions> parse_launch_options(std::span<const std::string_view> arguments);

extern const char* const launch_usage;

}  // namespace assay
