#include <assay/system/cpu_set.hpp>

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <optional>
#include <string>

namespace assay {
namespace {

constexpr int most_cpus = 65'536;  // a larger number is a mistake in the text

std::optional<int> number(std::string_view text) {
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc{} || rest != end || value < 0 || value >= most_cpus) return std::nullopt;
  return value;
}

/// Adds "3" or "0-3"; false where it is neither.
bool add_range(std::string_view text, std::vector<int>& cpus) {
  const std::size_t dash = text.find('-');
  const auto low = number(text.substr(0, dash));
  const auto high = dash == std::string_view::npos ? low : number(text.substr(dash + 1));
  if (!low || !high || *high < *low) return false;
  for (int cpu = *low; cpu <= *high; ++cpu) cpus.push_back(cpu);
  return true;
}

Status set_affinity(const std::vector<int>& cpus, std::string where, std::string hint) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &set);
  if (sched_setaffinity(0, sizeof set, &set) == 0) return {};
  return system_error(std::move(where), errno, std::move(hint));
}

}  // namespace

Result<CpuSet> CpuSet::allowed() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return system_error("sched_getaffinity", errno);
  std::vector<int> cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
  }
  return CpuSet(std::move(cpus));
}

Result<CpuSet> CpuSet::parse(std::string_view list) {
  std::vector<int> cpus;
  for (std::string_view rest = list; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    if (!add_range(rest.substr(0, end), cpus)) {
      return Error{"not a list of CPUs", std::string(list)};
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::sort(cpus.begin(), cpus.end());
  return CpuSet(std::move(cpus));
}

std::vector<int> CpuSet::last_first() const {
  return {cpus_.rbegin(), cpus_.rend()};
}

bool CpuSet::has(int cpu) const {
  return std::binary_search(cpus_.begin(), cpus_.end(), cpu);
}

Status pin_this_thread(int cpu) {
  return set_affinity({cpu}, "CPU " + std::to_string(cpu), "not one this process may run on");
}

Status let_this_thread_run_on(const CpuSet& cpus) {
  return set_affinity(cpus.in_order(), "all CPUs", "they cannot be given back to the program");
}

}  // namespace assay
