#include <assay/record/json_row.hpp>

#include <cmath>

namespace assay {
namespace {

using nlohmann::ordered_json;

double per_iteration(double count, const MemoryUse& use) {
  return use.iterations > 0 ? count / use.iterations : count;
}

}  // namespace

void complete_row(ordered_json& row, const RowTexts& texts,
                  const std::map<std::string, double>& counters) {
  for (const auto& [key, text] : texts) {
    if (row.contains(key) || !text.empty()) row[key] = text;
  }
  for (const auto& [name, value] : counters) {
    if (row.contains(name)) continue;  // a counter called "name" must not replace the name
    if (std::isfinite(value)) {
      row[name] = value;
    } else {
      row["assay"]["unavailable"].push_back(name + ": not a finite number");
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
  if (use.peak_bytes) memory["peak_bytes"] = *use.peak_bytes;
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
                      {"threads", threads}};
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
