// Purpose: runs out of a record of ours, as they would have been measured in one go.
//
//   const auto runs = recorded_runs(text);       // JSON that json_report or assay os all wrote
//   libmicro_report(run.command, run.measured, ...);
//
// Thread safety: pure. Cost: reads the whole record.
#pragma once

#include <assay/os/cli/command.hpp>
#include <assay/os/cli/launches.hpp>

#include <string>
#include <vector>

namespace assay::os {

struct RecordedRun {
  Command command;
  Measured measured;
};

/// Launches of one name together, in the order names first appear. Rows that no command
/// line of ours made are an error.
Result<std::vector<RecordedRun>> recorded_runs(const std::string& json);

}  // namespace assay::os
