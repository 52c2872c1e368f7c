#include <assay/record/json_context.hpp>

#include <assay/measure/counters/perf_group.hpp>
#include <assay/record/git_revision.hpp>

namespace assay {
namespace {

using nlohmann::ordered_json;

constexpr int schema_version = 1;

/// A fact that is not known is left out, and not written as null.
template <class Fact>
void put(ordered_json& object, const char* key, const std::optional<Fact>& fact) {
  if (fact) object[key] = *fact;
}

ordered_json host_object(const HostFacts& host) {
  ordered_json object = ordered_json::object();
  put(object, "os", host.os);
  put(object, "kernel", host.kernel);
  put(object, "cpu_model", host.cpu_model);
  put(object, "cpus", host.cpus);
  put(object, "memory_bytes", host.memory_bytes);
  put(object, "virtualisation", host.virtualisation);
  put(object, "governor", host.governor);
  put(object, "smt", host.smt);
  put(object, "aslr", host.aslr);
  put(object, "clock_source", host.clock_source);
  return object;
}

ordered_json build_object(const BuildFacts& build, const std::string& benchmark_version) {
  return {{"compiler", build.compiler},
          {"compiler_version", build.compiler_version},
          {"cplusplus", build.cplusplus},
          {"optimised", build.optimised},
          {"assertions", build.assertions},
          {"sanitizer", build.sanitizer},
          {"benchmark_version", benchmark_version},
          {"type", build.type}};
}

ordered_json allocations_object(const AllocationStatus& status) {
  if (status.counted) return {{"counted", true}, {"allocator", status.allocator}};
  return {{"counted", false}, {"reason", status.reason}};
}

ClockFacts clock_facts(const TickClock& clock) {
  return {.source = std::string(clock.source()),
          .quality = measure_clock([&clock] { return clock.now_ns(); }),
          .frequency_hz = clock.frequency_hz()};
}

ordered_json unavailable_list(const Facts& facts) {
  ordered_json list = facts.host.unavailable;
  if (!facts.allocations.counted) list.push_back("allocations: " + facts.allocations.reason);
  if (!facts.no_hardware_counters.empty()) {
    list.push_back("hardware counters: " + facts.no_hardware_counters);
  }
  return list;
}

}  // namespace

Facts gather_facts(const BuildFacts& build, std::string benchmark_version) {
  std::error_code failed;
  const auto folder = std::filesystem::current_path(failed);
  return {.host = read_host_facts(),
          .build = build,
          .benchmark_version = std::move(benchmark_version),
          .clock = clock_facts(TickClock::of_this_host()),
          .git_revision = failed ? std::nullopt : git_revision(folder),
          .allocations = allocation_status(),
          .no_hardware_counters = hardware_counters_refused()};
}

ordered_json json_context(const Facts& facts) {
  ordered_json object;
  object["schema"] = schema_version;
  object["tool"] = "assay " ASSAY_VERSION;
  object["host"] = host_object(facts.host);
  object["build"] = build_object(facts.build, facts.benchmark_version);
  object["clock"] = {{"source", facts.clock.source},
                     {"resolution_ns", facts.clock.quality.resolution_ns},
                     {"cost_ns", facts.clock.quality.cost_ns},
                     {"frequency_hz", facts.clock.frequency_hz}};
  if (facts.git_revision) object["git"] = {{"revision", *facts.git_revision}};
  object["allocations"] = allocations_object(facts.allocations);
  object["unavailable"] = unavailable_list(facts);
  return object;
}

}  // namespace assay
