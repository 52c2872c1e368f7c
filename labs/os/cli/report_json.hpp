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

/// With --subtract-loop, each launch's own loop is taken off its samples, down to 0.
nlohmann::ordered_json record_of(const Command& command, const Measured& measured);

/// Cases, their options and what they are, for programs: `assay-os list`.
std::string json_list();

/// The runs of the catalogue, with the words that make them: `assay-os catalogue`.
std::string json_catalogue();

}  // namespace assay::os
