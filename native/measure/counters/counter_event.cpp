#include <assay/measure/counters/counter_event.hpp>

#include <linux/perf_event.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace assay {
namespace {

struct Generic {
  std::string_view name;
  std::uint32_t type;
  std::uint64_t config;
};

constexpr std::uint64_t cache_of(std::uint64_t cache, std::uint64_t operation,
                                 std::uint64_t result) {
  return cache | operation << 8U | result << 16U;
}
constexpr std::uint64_t reads(std::uint64_t cache) {
  return cache_of(cache, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_ACCESS);
}
constexpr std::uint64_t read_misses(std::uint64_t cache) {
  return cache_of(cache, PERF_COUNT_HW_CACHE_OP_READ, PERF_COUNT_HW_CACHE_RESULT_MISS);
}

constexpr auto generic = std::to_array<Generic>({
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"L1-dcache-loads", PERF_TYPE_HW_CACHE, reads(PERF_COUNT_HW_CACHE_L1D)},
    {"L1-dcache-load-misses", PERF_TYPE_HW_CACHE, read_misses(PERF_COUNT_HW_CACHE_L1D)},
    {"L1-icache-load-misses", PERF_TYPE_HW_CACHE, read_misses(PERF_COUNT_HW_CACHE_L1I)},
    {"LLC-loads", PERF_TYPE_HW_CACHE, reads(PERF_COUNT_HW_CACHE_LL)},
    {"LLC-load-misses", PERF_TYPE_HW_CACHE, read_misses(PERF_COUNT_HW_CACHE_LL)},
    {"dTLB-loads", PERF_TYPE_HW_CACHE, reads(PERF_COUNT_HW_CACHE_DTLB)},
    {"dTLB-load-misses", PERF_TYPE_HW_CACHE, read_misses(PERF_COUNT_HW_CACHE_DTLB)},
    {"iTLB-load-misses", PERF_TYPE_HW_CACHE, read_misses(PERF_COUNT_HW_CACHE_ITLB)},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
});

std::optional<CounterEvent> generic_event(std::string_view name) {
  const auto found = std::find_if(generic.begin(), generic.end(),
                                  [name](const Generic& one) { return one.name == name; });
  if (found == generic.end()) return std::nullopt;
  return CounterEvent{.type = found->type, .config = found->config};
}

/// The raw event "r1a2b": an r and then hexadecimal digits alone; nothing for any other name.
std::optional<CounterEvent> raw_event(std::string_view name) {
  if (name.size() < 2 || name.size() > 17 || name.front() != 'r') return std::nullopt;
  CounterEvent event{.type = PERF_TYPE_RAW};
  const char* const end = name.data() + name.size();
  const auto [rest, failure] = std::from_chars(name.data() + 1, end, event.config, 16);
  if (failure != std::errc{} || rest != end) return std::nullopt;
  return event;
}

/// Removes :u, :k or :uk from the name. libpfm4's own modifiers are longer words or contain "=".
std::string_view without_modifier(std::string_view name, bool& in_user, bool& in_kernel) {
  const std::size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return name;
  const std::string_view modifier = name.substr(colon + 1);
  if (modifier != "u" && modifier != "k" && modifier != "uk" && modifier != "ku") return name;
  in_user = modifier.find('u') != std::string_view::npos;
  in_kernel = modifier.find('k') != std::string_view::npos;
  return name.substr(0, colon);
}

}  // namespace

bool CounterEvent::is_software() const {
  return type == PERF_TYPE_SOFTWARE;
}

Result<CounterEvent> counter_event(std::string_view name) {
  bool in_user = true;
  bool in_kernel = true;
  const std::string_view bare = without_modifier(name, in_user, in_kernel);
  if (bare.empty()) return Error{"a counter has no name", std::string(name)};
  std::optional<CounterEvent> known = generic_event(bare);
  if (!known) known = raw_event(bare);
  if (!known) {
    const Result<CounterEvent> looked_up = libpfm_event(std::string(bare));
    if (!looked_up) return looked_up.error();
    known = *looked_up;
  }
  known->name = std::string(name);
  known->in_user = known->in_user && in_user;
  known->in_kernel = known->in_kernel && in_kernel;
  return *known;
}

std::vector<std::string> generic_counter_names() {
  std::vector<std::string> names;
  names.reserve(generic.size());
  for (const Generic& one : generic) names.emplace_back(one.name);
  return names;
}

}  // namespace assay
