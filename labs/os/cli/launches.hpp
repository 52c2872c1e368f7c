// Purpose: makes a command's launches, one after the other, and collects their results.
//
//   const Measured measured = measure(command, scratch, libexec);
//
// Each launch is a process of its own (assay-os-launch): address layout and page placement
// differ between launches, not within one. There are as many as the command says; `assay os` judges
// when enough is measured, and starts assay-os again until then.
//
// Thread safety: one at a time. Cost: some 10 ms for each launch beside the measuring.
#pragma once

#include <assay/os/cli/command.hpp>
#include <assay/os/harness/launch.hpp>
#include <assay/os/harness/scratch.hpp>
#include <assay/system/signal_block.hpp>

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace assay::os {

struct Measured {
  std::vector<Launched> launches{};
  std::optional<Error> trouble{};
  int ended_by{0};  // the signal that stopped it; 0: none
};

/// Makes the command's launches. `libexec`: the folder of the program assay-os-launch.
Measured measure(const Command& command, const Scratch& scratch, const std::string& libexec);

/// Makes one launch; sets `ended_by` when a signal told us to stop.
using Launcher = std::function<Launched(const Effort& effort, int& ended_by)>;

/// Waits for a child to end and gives its status as waitpid() does; an error if that cannot be
/// waited for. On SIGINT, SIGTERM or SIGHUP it kills the child and stores the signal in `ended_by`.
Result<int> status_at_end(pid_t pid, const SignalBlock& signals, int& ended_by);

/// Calls `launch` until the command's launches are done, one fails or a signal told us to stop.
Measured launches_for(const Command& command, const Launcher& launch);

/// The samples, time limit and batch of each of the command's launches: its -C and -D divided among
/// them.
std::vector<Effort> shares_of(const Command& command);

}  // namespace assay::os
