// Purpose: a run as Google Benchmark JSON with our `assay` objects: a row for each launch.
//
//   write(json_report(command, measured, taken_off_ns));
//
// Thread safety: pure but for gathering facts. Cost: after measuring.
#pragma once

#include <assay/os/cli/command.hpp>
#include <assay/os/cli/launches.hpp>

#include <string>

namespace assay::os {

std::string json_report(const Command& command, const Measured& measured, double taken_off_ns);

/// Cases, their options and what they are, for programs: `assay-os list --json`.
std::string json_list();

/// The runs of the catalogue, with the words that make them: `assay-os catalogue`.
std::string json_catalogue();

}  // namespace assay::os
