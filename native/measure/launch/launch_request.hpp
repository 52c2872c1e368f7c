// Purpose: one request to `assay-launch --serve`, read in place.
//
//   assay::Result<assay::LaunchRequest> request = assay::parse_launch_request(text);
//
// The text is fields that each end with a NUL: the CPU (empty: not pinned), the number of
// arguments, the arguments, and NAME=VALUE of the whole environment.
//
// Thread safety: pure. Cost: none to the measurement; it happens before the clock starts.
#pragma once

#include <assay/base/result.hpp>

#include <optional>
#include <span>
#include <vector>

namespace assay {

/// Points into the text it was read from. Both lists end with a null pointer, as exec wants them.
struct LaunchRequest {
  std::optional<int> cpu{};
  std::vector<char*> arguments{};
  std::vector<char*> environment{};
};

Result<LaunchRequest> parse_launch_request(std::span<char> text);

}  // namespace assay
