#include <assay/gbench/console_reporter.hpp>

#include <assay/gbench/json_file_end.hpp>
#include <assay/gbench/latency_ids.hpp>
#include <assay/gbench/session.hpp>

#include <cmath>

namespace assay {

ConsoleReporter::ConsoleReporter(const Facts& facts, const MemoryPasses& passes)
    : facts_(facts), passes_(passes), library_(*benchmark::CreateDefaultDisplayReporter()) {}

bool ConsoleReporter::ReportContext(const Context& context) {
  if (const std::string warning = build_warning(facts_.build); !warning.empty()) {
    GetErrorStream() << "***WARNING*** this benchmark was " << warning << "\n";
  }
  if (!facts_.allocations.counted) {
    GetErrorStream() << "Allocations are not counted: " << facts_.allocations.reason << "\n";
  }
  return library_.ReportContext(context);
}

void ConsoleReporter::ReportRuns(const std::vector<Run>& runs) {
  leave_if_forked_from(owner_);
  std::vector<Run> shown;
  for (const Run& run : runs) {
    add_memory(shown.emplace_back(without_ids(run)));
    name_what_is_unavailable(shown.back());
  }
  library_.ReportRuns(shown);
  // A benchmark that forks would give its child a copy of the buffer to print again.
  GetOutputStream().flush();
}

void ConsoleReporter::add_memory(Run& run) const {
  const auto use = passes_.of(run);
  // The row already has report_allocations()'s exact counts.
  if (!use || run.counters.count("CallsToAlloc") != 0) return;
  const auto each = [&use](std::uint64_t n) { return static_cast<double>(n) / use->iterations; };
  run.counters["allocs"] = each(use->tally.allocs + use->tally.reallocs);
  run.counters["bytes"] = each(use->tally.requested_bytes);
  run.counters["peak_bytes"] = static_cast<double>(use->peak_bytes.value_or(0));
}

/// Takes counters without a value out of the table and names them in the label, so that neither
/// "0" nor "nan" is shown for them.
void ConsoleReporter::name_what_is_unavailable(Run& run) {
  for (auto counter = run.counters.begin(); counter != run.counters.end();) {
    const auto why = session().unavailable.reason(counter->first);
    if (!why || !std::isnan(counter->second.value)) {
      ++counter;
      continue;
    }
    if (said_.insert(counter->first).second) {
      GetErrorStream() << counter->first << " is not available: " << *why << "\n";
    }
    run.report_label += (run.report_label.empty() ? "" : " ") + counter->first + ": not available";
    counter = run.counters.erase(counter);
  }
}

}  // namespace assay
