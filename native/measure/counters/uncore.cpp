#include <assay/measure/counters/uncore.hpp>

#include <assay/system/cpu_set.hpp>
#include <assay/system/text_file.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace assay {
namespace {

namespace fs = std::filesystem;

// ---- text ------------------------------------------------------------------------------

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(at), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

/// A whole number, decimal or after 0x.
std::optional<std::uint64_t> number(std::string_view text) {
  const bool is_hex = text.substr(0, 2) == "0x";
  if (is_hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value, is_hex ? 16 : 10);
  if (text.empty() || failure != std::errc{} || rest != end) return std::nullopt;
  return value;
}

struct Range {
  std::uint64_t low;
  std::uint64_t high;
};

/// A range of bits as in format/ files: "7" or "0-7".
std::optional<Range> range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto low = number(text.substr(0, dash));
  const auto high = dash == std::string_view::npos ? low : number(text.substr(dash + 1));
  if (!low || !high || *high < *low) return std::nullopt;
  return Range{*low, *high};
}

// ---- bits ------------------------------------------------------------------------------

/// Puts the low bits of `value` into the field's bit ranges, in their order. False if it does not
/// fit.
bool put_into_field(std::uint64_t value, const FormatField& field, CounterEvent& event) {
  const std::array<std::uint64_t*, 3> words{&event.config, &event.config1, &event.config2};
  std::uint64_t& word = *words.at(static_cast<std::size_t>(field.word));
  for (const FormatField::Bits& bits : field.bits) {
    const unsigned width = bits.high - bits.low + 1;
    const std::uint64_t mask = width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
    word |= (value & mask) << bits.low;
    value = width >= 64 ? 0 : value >> width;
  }
  return value == 0;  // bits are left over: the value was too large for the field
}

}  // namespace

Result<FormatField> parse_format(std::string_view text) {
  const auto wrong = [text] { return Error{"not a format of a counter field", std::string(text)}; };
  const std::size_t colon = text.find(':');
  constexpr std::array<std::string_view, 3> words{"config", "config1", "config2"};
  const auto* const word = std::find(words.begin(), words.end(), text.substr(0, colon));
  if (colon == std::string_view::npos || word == words.end()) return wrong();
  FormatField field{.word = static_cast<int>(word - words.begin())};
  for (const std::string_view part : split(text.substr(colon + 1), ',')) {
    const auto bits = range(part);
    if (!bits || bits->high > 63) return wrong();
    field.bits.push_back({static_cast<unsigned>(bits->low), static_cast<unsigned>(bits->high)});
  }
  if (field.bits.empty()) return wrong();
  return field;
}

Result<CounterEvent> encode(std::string_view terms, const Format& format) {
  CounterEvent event;
  for (const std::string_view term : split(terms, ',')) {
    const std::size_t equals = term.find('=');
    const std::string_view name = term.substr(0, equals);
    const auto value = equals == std::string_view::npos ? 1 : number(term.substr(equals + 1));
    const auto field = format.find(name);
    const auto wrong = [&](const char* what) { return Error{what, std::string(term)}; };
    if (field == format.end()) return wrong("this PMU has no such field");
    if (!value) return wrong("not a number");
    if (!put_into_field(*value, field->second, event)) return wrong("too large for its field");
  }
  return event;
}

bool is_memory_counter(std::string_view name) {
  return std::find(std::begin(memory_counter_names), std::end(memory_counter_names), name) !=
         std::end(memory_counter_names);
}

namespace {

// ---- what each kind of PMU counts --------------------------------------------------------

struct KnownEvent {
  std::string_view pmu;    // how its name starts
  std::string_view event;  // its file in events/, or empty: not described there
  std::string_view terms;  // used where `event` is empty
  std::string_view what;
};

// Bytes that one memory command moves, unless NAME.scale says otherwise.
constexpr double line_bytes = 64;

constexpr auto known = std::to_array<KnownEvent>({
    {"uncore_imc_free_running", "read", "", "dram-read-bytes"},
    {"uncore_imc_free_running", "write", "", "dram-write-bytes"},
    {"uncore_imc_free_running", "ddrt_read", "", "pmem-read-bytes"},
    {"uncore_imc_free_running", "ddrt_write", "", "pmem-write-bytes"},
    {"uncore_imc", "cas_count_read", "", "dram-read-bytes"},
    {"uncore_imc", "cas_count_write", "", "dram-write-bytes"},
    {"uncore_imc", "data_reads", "", "dram-read-bytes"},  // desktop and laptop CPUs
    {"uncore_imc", "data_writes", "", "dram-write-bytes"},
    // UNC_M_PMM_RPQ_INSERTS and _WPQ_INSERTS of Cascade Lake, Ice Lake and Sapphire Rapids.
    {"uncore_imc", "", "event=0xe3", "pmem-read-bytes"},
    {"uncore_imc", "", "event=0xe7", "pmem-write-bytes"},
    // umc_cas_cmd.rd and umc_cas_cmd.wr, from Zen 4 on.
    {"amd_umc", "", "event=0x0a,rdwrmask=0x1", "dram-read-bytes"},
    {"amd_umc", "", "event=0x0a,rdwrmask=0x2", "dram-write-bytes"},
});

bool is_persistent(std::string_view what) {
  return what.substr(0, 4) == "pmem";
}

/// Whether this host has persistent memory. Where it has none, the event codes of pmem-* count
/// something else.
bool has_persistent_memory(const fs::path& root) {
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / "sys/bus/nd/devices", none)) {
    const std::string name = entry.path().filename();
    if (name.rfind("nmem", 0) == 0) return true;
  }
  return false;
}

// ---- one PMU -----------------------------------------------------------------------------

struct Pmu {
  fs::path folder;
  std::string name;
  std::uint32_t type{0};
  std::vector<int> cpus{};
  Format format{};
};

Format read_format(const fs::path& folder) {
  Format format;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const auto field = parse_format(first_line(entry.path()).value_or(""));
    if (field) format[entry.path().filename()] = *field;
  }
  return format;
}

std::optional<Pmu> read_pmu(const fs::path& folder) {
  const auto type = number(first_line(folder / "type").value_or(""));
  const auto cpus = CpuSet::parse(first_line(folder / "cpumask").value_or(""));
  if (!type || !cpus || cpus->count() == 0) return std::nullopt;
  return Pmu{.folder = folder,
             .name = folder.filename(),
             .type = static_cast<std::uint32_t>(*type),
             .cpus = cpus->in_order(),
             .format = read_format(folder / "format")};
}

/// How many bytes one count stands for, from NAME.scale and NAME.unit.
double bytes_per_count(const fs::path& event) {
  const auto scale = first_line(event.string() + ".scale");
  const auto unit = first_line(event.string() + ".unit");
  if (!scale || unit.value_or("") != "MiB") return line_bytes;
  return std::strtod(scale->c_str(), nullptr) * (1U << 20U);
}

void add_events(const Pmu& pmu, const KnownEvent& one, std::vector<MemoryEvent>& events) {
  const fs::path described = pmu.folder / "events" / one.event;
  const auto terms = one.event.empty() ? std::string(one.terms) : first_line(described);
  if (!terms) return;
  Result<CounterEvent> event = encode(*terms, pmu.format);
  if (!event) return;
  event.value().type = pmu.type;
  event.value().name = std::string(one.what);
  const double bytes = one.event.empty() ? line_bytes : bytes_per_count(described);
  for (const int cpu : pmu.cpus) {
    events.push_back({.what = std::string(one.what),
                      .pmu = pmu.name,
                      .event = *event,
                      .cpu = cpu,
                      .bytes_per_count = bytes});
  }
}

/// Whether a PMU's name is `kind` with or without a number: for "uncore_imc" these are uncore_imc
/// and uncore_imc_0, but not uncore_imc_free_running_0.
bool is_kind(std::string_view name, std::string_view kind) {
  if (name.substr(0, kind.size()) != kind) return false;
  const std::string_view rest = name.substr(kind.size());
  return std::all_of(rest.begin(), rest.end(),
                     [](char c) { return c == '_' || (c >= '0' && c <= '9'); });
}

/// Leaves out free-running counters where there are programmed ones: both see the same traffic.
void drop_doubles(std::vector<MemoryEvent>& events) {
  for (const std::string_view what : memory_counter_names) {
    const auto is_programmed = [what](const MemoryEvent& e) {
      return e.what == what && e.pmu.find("free_running") == std::string::npos;
    };
    if (std::none_of(events.begin(), events.end(), is_programmed)) continue;
    std::erase_if(events,
                  [&](const MemoryEvent& e) { return e.what == what && !is_programmed(e); });
  }
}

}  // namespace

Result<std::vector<MemoryEvent>> memory_events(const fs::path& root) {
  const fs::path devices = "sys/bus/event_source/devices";
  std::vector<fs::path> folders;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(root / devices, none)) {
    folders.push_back(entry.path());
  }
  std::sort(folders.begin(), folders.end());
  const bool persistent = has_persistent_memory(root);
  std::vector<MemoryEvent> events;
  for (const fs::path& folder : folders) {
    for (const KnownEvent& one : known) {
      if (!is_kind(folder.filename().string(), one.pmu)) continue;
      if (is_persistent(one.what) && !persistent) continue;
      if (const auto pmu = read_pmu(folder)) add_events(*pmu, one, events);
    }
  }
  drop_doubles(events);
  if (!events.empty()) return events;
  return Error{"no memory controller's counters are shown", "/" + devices.string(),
               "a virtual machine, or the kernel has no driver for this CPU's"};
}

}  // namespace assay
