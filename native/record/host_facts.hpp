// Purpose: the facts about this host that matter for timings.
//
//   const assay::HostFacts host = assay::read_host_facts();
//   const std::string governor = host.governor.value_or("unknown");
//
// Thread safety: any thread. Cost: about 1 ms of small reads from /proc and /sys, before
// the first benchmark and never during one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace assay {

struct HostFacts {
  std::optional<std::string> os{};
  std::optional<std::string> kernel{};
  std::optional<std::string> cpu_model{};
  std::optional<std::int64_t> cpus{};
  std::optional<std::int64_t> memory_bytes{};
  std::optional<std::string> virtualisation{};  // "none" on bare metal
  std::optional<std::string> governor{};
  std::optional<bool> smt{};
  std::optional<bool> aslr{};
  std::optional<std::string> clock_source{};
  std::vector<std::string> unavailable{};  // "what: why", one for each fact not found
};

/// Reads below `root`, so that tests can bring a host of their own.
HostFacts read_host_facts(const std::filesystem::path& root = "/");

}  // namespace assay
