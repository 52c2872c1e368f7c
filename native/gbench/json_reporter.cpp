#include <assay/gbench/json_reporter.hpp>

#include <assay/gbench/latency_ids.hpp>
#include <assay/gbench/library_versions.hpp>
#include <assay/gbench/session.hpp>
#include <assay/record/json_row.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace assay {
namespace {

using nlohmann::ordered_json;
using Run = benchmark::BenchmarkReporter::Run;

std::map<std::string, double> values(const benchmark::UserCounters& counters) {
  std::map<std::string, double> plain;
  for (const auto& [name, counter] : counters) plain[name] = counter.value;
  return plain;
}

ordered_json memory_of(const Run& run, const MemoryPasses& passes) {
  if (run.run_type != Run::RT_Iteration) return nullptr;
  const auto use = passes.of(run);
  ordered_json memory = use ? json_memory(*use) : ordered_json(nullptr);
  const auto exact = json_memory(values(run.counters), run.threads);
  if (!exact) return memory;
  if (memory.is_null()) return *exact;
  // Peak and size classes stay from the untimed memory pass, which runs in one thread.
  memory.update(*exact);
  return memory;
}

/// Adds the keys under which the library itself reports a memory pass.
void put_library_memory(ordered_json& row, const MemoryUse& use) {
  row["allocs_per_iter"] =
      static_cast<double>(use.tally.allocs + use.tally.reallocs) / use.iterations;
  row["max_bytes_used"] = use.peak_bytes.value_or(0);
  row["total_allocated_bytes"] = use.tally.requested_bytes;
  row["net_heap_growth"] = use.tally.leaked_bytes();
}

RowTexts texts_of(const Run& run) {
  RowTexts texts{{"name", run.benchmark_name()},
                 {"run_name", run.run_name.str()},
                 {"label", run.report_label},
                 {"aggregate_name", run.aggregate_name}};
  if (!was_skipped(run)) return texts;
  for (const char* const key : {"error_message", "skip_message"}) texts[key] = skip_message(run);
  return texts;
}

/// A copy of the run without the texts and numbers that the library would write as invalid JSON
/// (control characters, NaN). complete_row() enters them afterwards.
Run without_invalid_json(const Run& run) {
  Run copy = run;
  copy.run_name = {};
  copy.report_label.clear();
  copy.counters.clear();
  copy.memory_result = {};
  copy.allocs_per_iter = 0;
  if (was_skipped(copy)) skip_message(copy) = "-";
  if (copy.run_type == Run::RT_Aggregate) copy.aggregate_name = "-";
  if (!std::isfinite(run.GetAdjustedRealTime()) || !std::isfinite(run.GetAdjustedCPUTime())) {
    mark_as_failed(copy);
    skip_message(copy) = "the time measured is not a finite number";
    copy.real_accumulated_time = copy.cpu_accumulated_time = 0;
  }
  return copy;
}

}  // namespace

JsonReporter::JsonReporter(const Facts& facts, const MemoryPasses& passes, JsonFileEnd end)
    : facts_(facts), passes_(passes), end_(std::move(end)) {
  library_.SetOutputStream(&buffer_);
}

bool JsonReporter::ReportContext(const Context& context) {
  library_.ReportContext(context);
  ordered_json whole = ordered_json::parse(take_buffer() + "]}", nullptr, false);
  ordered_json object = whole.is_discarded() ? ordered_json::object() : whole["context"];
  object["assay"] = json_context(facts_);
  GetOutputStream() << "{\n  \"context\":\n" << to_text(object, 2) << ",\n  \"benchmarks\": [";
  end_.write_after(GetOutputStream(), "");
  return true;
}

void JsonReporter::ReportRuns(const std::vector<Run>& runs) {
  leave_if_forked_from(owner_);
  for (const Run& run : runs) {
    GetOutputStream() << (is_first_ ? "\n" : ",\n") << to_text(row_of(run), 4);
    is_first_ = false;
  }
  end_.write_after(GetOutputStream(), first_reported_name(runs));
}

std::string JsonReporter::take_buffer() {
  std::string text = std::exchange(buffer_, std::ostringstream()).str();
  return text.substr(std::min(text.find('{'), text.size()));  // past the comma between rows
}

/// The name of the benchmark whose first result these runs are; empty for aggregates that follow
/// their own repetitions, because those have the same name.
std::string JsonReporter::first_reported_name(const std::vector<Run>& runs) {
  std::string name = runs.empty() ? "" : runs.front().run_name.str();
  const bool is_aggregate = !runs.empty() && runs.front().run_type == Run::RT_Aggregate;
  const bool is_said = name == std::exchange(last_reported_, name) && is_aggregate;
  return is_said ? "" : name;
}

ordered_json JsonReporter::row_of(const Run& run) {
  library_.ReportRuns({without_invalid_json(run)});
  ordered_json row = ordered_json::parse(take_buffer(), nullptr, false);
  if (row.is_discarded()) row = ordered_json::object();
  complete_row(row, texts_of(run), values(without_ids(run).counters), session().unavailable.all());
  if (run.run_type == Run::RT_Iteration) {
    put_latencies(row, session().latency_rows.of(values(run.counters)));
  }
  if (const auto use = passes_.of(run)) put_library_memory(row, *use);
  if (ordered_json memory = memory_of(run, passes_); !memory.is_null()) {
    row["assay"]["memory"] = std::move(memory);
  }
  return row;
}

}  // namespace assay
