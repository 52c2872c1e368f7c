#include <assay/record/json_row.hpp>

#include <cmath>
#include <utility>

namespace assay {
namespace {

using nlohmann::ordered_json;

double per_iteration(double count, const MemoryUse& use) {
  return use.iterations > 0 ? count / use.iterations : count;
}

/// {"<128": blocks of 64 to 127 bytes per iteration, ...}. Size classes without a block are left
/// out.
ordered_json json_size_classes(const MemoryUse& use) {
  ordered_json classes = ordered_json::object();
  for (std::size_t i = 0; i < use.size_classes.size() && i < 64; ++i) {
    if (use.size_classes[i] == 0) continue;
    const double each = per_iteration(static_cast<double>(use.size_classes[i]), use);
    classes["<" + std::to_string(std::uint64_t{1} << i)] = each;
  }
  return classes;
}

}  // namespace

void complete_row(ordered_json& row, const RowTexts& texts,
                  const std::map<std::string, double>& counters,
                  const std::map<std::string, std::string>& reasons) {
  for (const auto& [key, text] : texts) {
    if (row.contains(key) || !text.empty()) row[key] = text;
  }
  for (const auto& [name, value] : counters) {
    if (row.contains(name)) continue;  // a counter called "name" must not replace the name
    if (std::isfinite(value)) {
      row[name] = value;
    } else {
      const auto why = reasons.find(name);
      std::string line = name;
      line.append(": ").append(why == reasons.end() ? "not a finite number" : why->second);
      row["assay"]["unavailable"].push_back(std::move(line));
    }
  }
}

ordered_json json_memory(const MemoryUse& use) {
  const auto each = [&use](auto count) { return per_iteration(static_cast<double>(count), use); };
  ordered_json memory{{"allocs", each(use.tally.allocs)},
                      {"reallocs", each(use.tally.reallocs)},
                      {"frees", each(use.tally.frees)},
                      {"bytes", each(use.tally.requested_bytes)},
                      {"freed_bytes", each(use.tally.freed_bytes())},
                      {"leaked_bytes", each(use.tally.leaked_bytes())},
                      {"threads", use.threads}};
  memory["counted"] = "pass";
  if (use.peak_bytes) memory["peak_bytes"] = *use.peak_bytes;
  if (ordered_json classes = json_size_classes(use); !classes.empty()) {
    memory["size_classes"] = std::move(classes);
  }
  return memory;
}

std::optional<ordered_json> json_memory(const std::map<std::string, double>& counters,
                                        std::int64_t threads) {
  const auto allocs = counters.find("CallsToAlloc");
  if (allocs == counters.end()) return std::nullopt;
  const auto value = [&counters](const char* name) {
    const auto found = counters.find(name);
    return found == counters.end() ? 0.0 : found->second;
  };
  return ordered_json{{"allocs", allocs->second},
                      {"reallocs", value("CallsToRealloc")},
                      {"frees", value("CallsToFree")},
                      {"bytes", value("MemoryAllocated")},
                      {"freed_bytes", value("MemoryFreed")},
                      {"leaked_bytes", value("MemoryAllocated") - value("MemoryFreed")},
                      {"threads", threads},
                      {"counted", "loop"}};
}

void put_latencies(ordered_json& row, const std::map<std::string, LatencyRow>& rows) {
  for (const auto& [name, latencies] : rows) {
    row["assay"]["histograms"][name] = latencies.encoded;
    if (latencies.clamped_below + latencies.clamped_above == 0) continue;
    row["assay"]["clamped"][name] = {{"below", latencies.clamped_below},
                                     {"above", latencies.clamped_above}};
  }
}

std::string to_text(const ordered_json& value, int indent) {
  const std::string flat = value.dump(2, ' ', false, ordered_json::error_handler_t::replace);
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  std::string text = margin;
  for (const char letter : flat) {  // newlines inside strings are escaped: all of these are layout
    text += letter;
    if (letter == '\n') text += margin;
  }
  return text;
}

}  // namespace assay
