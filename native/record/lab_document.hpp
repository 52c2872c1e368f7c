// Purpose: the record that a lab's program writes (assay-index, assay-os, assay-crash): Google
// Benchmark's layout, with our `assay` object in its context.
//
//   assay::LabContext context{.executable = "assay-index", .build = ASSAY_BUILD_FACTS};
//   context.own["seed"] = 7;                                   // becomes context.assay.seed
//   return assay::write_document(file, assay::lab_document(context, rows));
//
// Thread safety: any thread. Cost: gathers facts about the host, about 10 ms; after the
// measurement.
#pragma once

#include <assay/base/result.hpp>
#include <assay/record/build_facts.hpp>

#include <nlohmann/json.hpp>

#include <string>

namespace assay {

struct LabContext {
  std::string executable{};  // with its arguments, where they say what was measured
  BuildFacts build{};        // of the program: ASSAY_BUILD_FACTS in a file of its own
  nlohmann::ordered_json own = nlohmann::ordered_json::object();  // members to add to context.assay
};

/// {"context": {date (UTC), host_name, executable, num_cpus, assay}, "benchmarks": rows}
nlohmann::ordered_json lab_document(const LabContext& context, nlohmann::ordered_json rows);

/// Writes the document to a file, which gets its name only when it is complete, so that nobody
/// reads half of it. "-" is standard output.
Status write_document(const std::string& where, const nlohmann::ordered_json& document);

}  // namespace assay
