#include <assay/index/crash/crash_report.hpp>

#include <algorithm>
#include <array>
#include <charconv>

namespace assay::index::crash {
namespace {

/// `text` aligned to the right in `width` columns, after two blanks.
std::string cell(const std::string& text, std::size_t width) {
  return std::string(2 + (text.size() < width ? width - text.size() : 0), ' ') + text;
}

std::string with_two_decimals(double value) {
  std::array<char, 64> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 2);
  return {text.data(), end.ptr};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string heading(const CrashPlan& plan, const CrashTitle& title) {
  const std::string promise = title.promise == Promise::none
                                  ? "promises nothing"
                                  : "promises that acknowledged writes survive the process";
  return "durability of " + title.plugin + ", which " + promise + "\n" +
         std::to_string(plan.threads) + " threads, " + std::to_string(plan.records) +
         " records of " + std::to_string(plan.key_size) + "+" + std::to_string(plan.value_size) +
         " bytes loaded, killed within " + std::to_string(plan.work_ms) + " ms, seed " +
         std::to_string(plan.seed) + "\n\n";
}

std::string table(const CrashResult& result) {
  const auto times_ms = result.times_ms(&Findings::reopen_ns);
  const bool any = !times_ms.empty();
  const double longest = any ? *std::max_element(times_ms.begin(), times_ms.end()) : 0;
  const std::array<std::array<std::string, 2>, 8> columns = {{
      {"kills", std::to_string(result.kills())},
      {"acknowledged", std::to_string(result.sum(&Findings::acknowledged))},
      {"in flight", std::to_string(result.sum(&Findings::in_flight))},
      {"of them done", std::to_string(result.sum(&Findings::happened))},
      {"lost", std::to_string(result.lost())},
      {"torn", std::to_string(result.sum(&Findings::torn))},
      {"reopen, median ms", any ? with_two_decimals(median(times_ms)) : "-"},
      {"longest ms", any ? with_two_decimals(longest) : "-"},
  }};
  std::string names;
  std::string values;
  for (const auto& [name, value] : columns) {
    const std::size_t width = std::max(name.size(), value.size());
    names += cell(name, width);
    values += cell(value, width);
  }
  return names + "\n" + values + "\n\n";
}

bool is_in_the_table(std::uint64_t Findings::*count) {
  return count == &Findings::acknowledged || count == &Findings::in_flight ||
         count == &Findings::happened;
}

/// Findings that a working store does not have, if there are any, and the messages.
std::string finding_lines(const CrashResult& result) {
  std::string text;
  for (const FindingsCount& one : findings_counts) {
    const std::uint64_t count = result.sum(one.count);
    if (count == 0 || is_in_the_table(one.count)) continue;
    text += "  " + std::string(one.name) + ": " + std::to_string(count) + "\n";
  }
  if (result.not_verified > 0) {
    text += "  not opened again: " + std::to_string(result.not_verified) + "\n";
  }
  for (const std::string& message : result.messages) text += "  " + message + "\n";
  return text;
}

std::string conclusion(const CrashTitle& title, const CrashResult& result) {
  if (result.interrupted_by != 0) return "interrupted: this is what there is so far\n";
  if (result.broken(title.promise)) return "BROKEN: see above\n";
  if (result.not_run > 0 || result.verified.empty()) return "could not be measured: see above\n";
  if (result.lost() > 0) return "nothing torn; what was lost was not promised\n";
  return "nothing acknowledged was lost, nothing torn (process killed; not a power failure)\n";
}

}  // namespace

std::string text_of(const CrashPlan& plan, const CrashTitle& title, const CrashResult& result) {
  return heading(plan, title) + table(result) + finding_lines(result) + conclusion(title, result);
}

}  // namespace assay::index::crash
