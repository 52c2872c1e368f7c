// Purpose: a command's launches, one after the other, and what they gave together.
//
//   const Measured measured = measure(command, programs, scratch);
//
// Each launch is a process of its own (assay-os-launch): address layout and page placement
// differ between launches, not within one. There are as many as the command says; when enough is
// measured is for `assay os` to judge, which asks again.
//
// Thread safety: one at a time. Cost: some 10 ms for each launch beside the measuring.
#pragma once

#include <assay/os/cli/command.hpp>
#include <assay/os/harness/launch.hpp>
#include <assay/os/harness/scratch.hpp>

#include <functional>
#include <string>
#include <vector>

namespace assay::os {

struct Measured {
  std::vector<Launched> launches{};
  std::optional<Error> trouble{};
  int ended_by{0};  // a signal that told us to stop
};

/// `libexec`: where assay-os-launch is.
Measured measure(const Command& command, const Scratch& scratch, const std::string& libexec);

/// One launch of so much; it sets `ended_by` when a signal told us to stop.
using Launcher = std::function<Launched(const Effort& effort, int& ended_by)>;

/// What `launch` gave, called until the command's launches are done, one fails or a signal ends it.
Measured launches_for(const Command& command, const Launcher& launch);

/// How much each of `launches` measures.
std::vector<Effort> shares_of(const Command& command);

}  // namespace assay::os
