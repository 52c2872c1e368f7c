// Purpose: a run as Google Benchmark JSON with our `assay` objects: a row for each launch.
//
//   assay::write_document("out.json", record_of(command, measured));
//
// Thread safety: pure but for gathering facts. Cost: after measuring.
#pragma once

#include <assay/os/cli/command.hpp>
#include <assay/os/cli/launches.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace assay::os {

/// The record, with a row for each launch. With --subtract-loop, an empty loop's time is subtracted
/// from each sample, down to 0.
nlohmann::ordered_json record_of(const Command& command, const Measured& measured);

/// All cases with their options and help, as JSON for programs: the output of `assay-os list`.
std::string json_list();

/// The runs of the catalogue with their command lines, as JSON: the output of `assay-os catalogue`.
std::string json_catalogue();

}  // namespace assay::os
