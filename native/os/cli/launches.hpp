// Purpose: a command's launches, one after the other, and what they gave together.
//
//   const Measured measured = measure(command, programs, scratch);
//
// Each launch is a process of its own (assay-os-launch): address layout and page placement
// differ between launches, not within one. Where the command does not say how much to measure,
// there are launches until the interval is narrow, or 5 s are over.
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

struct Statistics;

struct Measured {
  std::vector<Launched> launches{};
  std::optional<Error> trouble{};
  std::int64_t elapsed_ns{0};
  int ended_by{0};  // a signal that told us to stop
};

/// `libexec`: where assay-os-launch is.
Measured measure(const Command& command, const Scratch& scratch, const std::string& libexec);

/// One launch of so much; it sets `ended_by` when a signal told us to stop.
using Launcher = std::function<Launched(const Effort& effort, int& ended_by)>;
using Clock = std::function<std::int64_t()>;  // nanoseconds

/// How often `launch` is called for `command`, and what it gave: the rule at the top of this file.
Measured launches_for(const Command& command, const Launcher& launch, const Clock& now);

/// Whether half of the interval is 1 % of the figure, or less: more launches tell little.
bool is_narrow(const Statistics& all);

/// How much each of `launches` measures.
std::vector<Effort> shares_of(const Command& command);

}  // namespace assay::os
