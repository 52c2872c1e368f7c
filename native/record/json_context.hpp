// Purpose: the `assay` object of a file's context, as schema/README.md describes it.
//
//   const assay::Facts facts = assay::gather_facts(ASSAY_BUILD_FACTS, "1.7.1");
//   gbench_context["assay"] = assay::json_context(facts);
//
// Thread safety: json_context is pure. Cost: gather_facts takes about 4 ms (clock, host
// files), before the first benchmark.
#pragma once

#include <assay/measure/allocations/allocation_status.hpp>
#include <assay/record/build_facts.hpp>
#include <assay/record/host_facts.hpp>
#include <assay/system/clock.hpp>
#include <assay/system/tick_clock.hpp>

#include <nlohmann/json.hpp>

namespace assay {

/// The clock that times single operations, as it is on this host.
struct ClockFacts {
  std::string source{};
  ClockQuality quality{};
  double frequency_hz{0};
};

struct Facts {
  HostFacts host{};
  BuildFacts build{};
  std::string benchmark_version{};
  ClockFacts clock{};
  std::optional<std::string> git_revision{};
  AllocationStatus allocations{};
  std::string no_hardware_counters{};  // why there are none; empty: there are some
};

Facts gather_facts(const BuildFacts& build, std::string benchmark_version);

nlohmann::ordered_json json_context(const Facts& facts);

}  // namespace assay
